import { raiseStorm } from "../../tests/reliability/storm.ts";
import type { BenchTable, Measurement } from "../measurement.ts";

const signUps = 20_000;

/** Sign-ups for a stranger without end, and how much mail the stranger gets of it. */
export const storm: Measurement = {
  name: "storm",
  async run({ say }): Promise<BenchTable[]> {
    say(`signing a stranger up ${signUps} times, under fifty spellings of one address`);
    const outcome = await raiseStorm(signUps);
    const row = (what: string, count: number) => [what, String(count)];
    return [
      {
        title: "A storm of sign-ups for a stranger",
        note: "Two servers on one SQLite file, their limits off, one killed and started again in between. Spellings: capitals aside, a tag after a plus sign, which all lead to one mailbox.",
        columns: ["", "count"],
        rows: [
          row("sign-ups sent", outcome.sent),
          row("acknowledged", outcome.answered),
          row("confirmation mails in the stranger's mailbox", outcome.mailsToStranger),
          row("spellings acknowledged", outcome.spellings),
          row("of them in the database, held or not", outcome.kept),
          row("other people who signed up meanwhile", outcome.bystanders),
          row("of them mailed", outcome.bystandersMailed),
        ],
      },
    ];
  },
};
