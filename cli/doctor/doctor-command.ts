import { claims } from "#content/claims.ts";
import type { ConfigResult, SettingName } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { printableLine } from "../terminal.ts";
import { checkDatabase } from "./check-database.ts";
import {
  checkBounceMailbox,
  checkDisk,
  checkHostedBackend,
  checkListening,
  checkMail,
  checkWebhook,
  type Finding,
  isPublicSite,
} from "./check-reachable.ts";
import { checkSendingDomain } from "./check-sending-domain.ts";

// Visitors and mail readers see these, so a public site must not show the examples; the law asks for the address too.
const factsOfTheFirm: SettingName[] = [
  "SITE_NAME",
  "SITE_EMAIL",
  "SITE_PHONE",
  "SITE_STREET",
  "SITE_POSTAL_CODE",
];

/** What is not set, and what is set but odd. A fact missing on a public site needs attention; on a laptop it may wait. */
function checkSettings({
  config,
  unset,
  warnings,
}: Extract<ConfigResult, { ok: true }>): Finding[] {
  const isPublic = isPublicSite(config.siteUrl);
  // The mail server has a check of its own.
  const facts = unset.filter(({ setting }) => setting !== "SMTP_URL");
  const findings = facts.map(({ setting, instead }): Finding => {
    const needed = factsOfTheFirm.includes(setting);
    return {
      about: setting,
      state: isPublic && needed ? "attention" : "note",
      message: `not set: ${instead}.`,
    };
  });
  for (const warning of warnings) {
    findings.push({ about: "Settings", state: "attention", message: warning });
  }
  if (findings.length === 0) {
    findings.push({ about: "Settings", state: "ok", message: "everything is set." });
  }
  return findings;
}

/**
 * The figures that the site shows as the firm's own, as one finding: advertisers need evidence of a result from before
 * they show it (Competition Act, R.S.C. 1985, c. C-34, s. 74.01(1)(b)).
 */
function checkClaims(): Finding {
  const own = claims.filter(({ origin }) => origin.kind === "own");
  const byPage = Map.groupBy(own, ({ path }) => path);
  const lines = [...byPage].map(
    ([path, figures]) =>
      `${path}: ${figures.map(({ figure, says }) => `${figure} ${says}`).join("; ")}`,
  );
  return {
    about: "Claims",
    state: "note",
    message: `${own.length} figures on the site are the firm's own, and ${claims.length - own.length} name a published source.`,
    advice: `Keep evidence of each from before it is shown (Competition Act, s. 74.01), or change it in content/:\n    ${lines.join("\n    ")}`,
  };
}

const details = `Looks at the settings, the site, the database, the mail server, what DNS says of the
domain that issues come from, the bounce mailbox, the webhook, the disk, the outbox, what
is held as suspected spam, and which figures the firm itself vouches for. Changes nothing,
sends no mail and no event.

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
      // Its lines are many, so they stand after the other notes.
      checkClaims(),
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
