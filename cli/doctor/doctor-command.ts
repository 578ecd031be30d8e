import type { CommandContext } from "../command-context.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { printableLine } from "../terminal.ts";
import { checkBounceMailbox } from "./check-bounce-mailbox.ts";
import { checkClaims } from "./check-claims.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDisk } from "./check-disk.ts";
import { checkHostedBackend, checkListening, checkMail, checkWebhook } from "./check-reachable.ts";
import { checkSendingDomain } from "./check-sending-domain.ts";
import { checkSettings } from "./check-settings.ts";
import type { Finding } from "./finding.ts";

const details = `Looks at the settings, the site, the database, the mail server, what DNS says of the
domain that issues come from, the bounce mailbox, the webhook, the disk, the outbox, what
is held as suspected spam, a sample of the proofs of consent, and which figures the firm
itself vouches for. Changes nothing, sends no mail and no event.

A line marked ! needs attention, and then the exit code is 1. A line marked - is worth
knowing: while SITE_URL is not set to a public address, missing settings are only that.`;

export function doctorCommand(run: Run) {
  return siteCommand("doctor", {
    summary: "Say what is configured, what can be reached and what waits",
    details,
    examples: [
      ["doctor", "Look at everything"],
      ["doctor --json", "The same for a monitor; the exit code tells whether all is well"],
    ],
  }).action(run(examine));
}

const order: Finding["state"][] = ["ok", "note", "attention"];

async function examine(context: CommandContext): Promise<CommandResult> {
  const settings = context.readSettings();
  const { config } = settings;
  const findings: Finding[] = (
    await Promise.all([
      checkSettings(settings),
      checkClaims(),
      checkListening(config),
      ...(config.hostedBackend
        ? [checkHostedBackend(config)]
        : [
            checkDatabase(config, context.now()),
            checkMail(config),
            checkSendingDomain(config),
            checkBounceMailbox(config),
            checkWebhook(config),
            checkDisk(config),
          ]),
    ])
  )
    .flat()
    .filter((finding) => finding !== null)
    // What needs attention stands last, next to the verdict, where a terminal is read first.
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const attention = findings.filter(({ state }) => state === "attention").length;
  const verdict =
    attention === 0
      ? "Nothing needs attention."
      : `${attention} ${attention === 1 ? "thing needs" : "things need"} attention.`;
  return {
    json: { ok: attention === 0, findings },
    text: [...findings.map((finding) => describeFinding(context, finding)), "", verdict].join("\n"),
    exitCode: attention === 0 ? 0 : 1,
  };
}

const signs = { ok: ["+", "green"], note: ["-", "yellow"], attention: ["!", "red"] } as const;

function describeFinding(
  context: CommandContext,
  { about, state, message, advice }: Finding,
): string {
  const [sign, colour] = signs[state];
  const line = `${context.style(colour, sign)} ${printableLine(`${about}: ${message}`)}`;
  return advice === undefined ? line : `${line}\n    ${advice}`;
}
