import { killServer } from "../../tests/reliability/kills.ts";
import type { BenchTable, Measurement } from "../measurement.ts";

const killCount = 250;

/** The server killed at random instants, and what became of all that it had acknowledged. */
export const kills: Measurement = {
  name: "kills",
  async run({ say }): Promise<BenchTable[]> {
    say(`killing the server ${killCount} times under a stream of messages and sign-ups`);
    const { acknowledged, notStored, lost, storedTwice, underTwoIds, repeats } =
      await killServer(killCount);
    const row = (what: string, count: number) => [what, String(count)];
    return [
      {
        title: "Killed at random instants",
        note: "SIGKILL while four visitors write without a pause and the mail server and the webhook's endpoint fail at random. Lost: acknowledged, and not in the database, or mail or webhook call never arrived.",
        columns: ["", "count"],
        rows: [
          row("kills", killCount),
          row("writes acknowledged", acknowledged),
          row("survived", acknowledged - lost.length),
          row("lost", lost.length),
          row("acknowledged and not in the database", notStored.length),
          row("messages stored twice", storedTwice.length),
          row("delivered under two ids", underTwoIds.length),
          row("delivered again under the same id", repeats),
        ],
      },
    ];
  },
};
