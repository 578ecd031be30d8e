import { amount } from "#content/amounts.ts";
import { claims } from "#content/claims.ts";
import type { ConfigResult } from "#settings/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { printableLine } from "../terminal.ts";
import { checkDatabase } from "./check-database.ts";
import {
  attention,
  checkHostedBackend,
  checkListening,
  checksOfMachine,
  type Finding,
  isPublicSite,
  note,
  ok,
} from "./check-reachable.ts";
import { checkSendingDomain } from "./check-sending-domain.ts";

// Visitors and subscribers see these, so a public site must not show the examples; the law asks for the address too.
const factsOfTheFirm = /^SITE_(?:NAME|EMAIL|PHONE|STREET|POSTAL_CODE)$/;

/** A fact missing on a public site needs attention; on a laptop it may wait. */
function checkSettings({
  config,
  unset,
  warnings,
}: Extract<ConfigResult, { ok: true }>): Finding[] {
  const isPublic = isPublicSite(config.siteUrl);
  const findings = [
    ...unset
      .filter(({ setting }) => setting !== "SMTP_URL")
      .map(({ setting, instead }) => {
        const isNeeded = isPublic && factsOfTheFirm.test(setting);
        const message = `not set: ${instead}.`;
        return { about: setting, ...(isNeeded ? attention(message) : note(message)) };
      }),
    ...warnings.map((warning) => attention(warning)),
  ];
  return findings.length > 0 ? findings : [ok("everything is set.")];
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
  return note(
    `${own.length} figures on the site are the firm's own, and ${claims.length - own.length} name a published source.`,
    `Keep evidence of each from before it is shown (Competition Act, s. 74.01), or change it in content/:\n    ${lines.join("\n    ")}`,
  );
}

export function doctorCommand(run: Run) {
  return siteCommand(
    "doctor",
    "Say what is configured, what can be reached and what waits",
    "It changes nothing and sends nothing. ! needs attention, and then the exit code is 1; - is worth knowing.",
  ).action(run(examine));
}

/** What is looked at, under its name; the answer is on its way. */
type Check = [name: string, found: Findings | Promise<Findings>];
type Findings = Finding | Finding[] | null;

function checksOf(settings: Extract<ConfigResult, { ok: true }>, now: Date): Check[] {
  const { config } = settings;
  const data: Check[] = config.hostedBackend
    ? [["Hosted backend", checkHostedBackend(config.hostedBackend)]]
    : [
        ["Database", checkDatabase(config, now)],
        ["Sending domain", checkSendingDomain(config)],
        ...checksOfMachine(config),
      ];
  return [
    ["Settings", checkSettings(settings)],
    ["Site", checkListening(config)],
    ...data,
    ["Claims", checkClaims()],
  ];
}

const signs = { ok: "+", note: "-", attention: "!" };
const order = Object.keys(signs);

async function examine(context: CommandContext) {
  const checks = checksOf(context.readSettings(), context.now());
  const found = await Promise.all(
    checks.map(async ([name, findings]) =>
      [await findings].flat().map((finding) => finding && { about: name, ...finding }),
    ),
  );
  const findings = found
    .flat()
    .filter((finding) => finding !== null)
    // What needs attention comes last, next to the verdict, where a terminal is read first.
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const attentions = findings.filter(({ state }) => state === "attention").length;
  const lines = findings.map(({ about, state, message, advice }) => {
    const line = printableLine(`${signs[state]} ${about}: ${message}`);
    return advice === undefined ? line : `${line}\n    ${advice}`;
  });
  const verdict =
    attentions === 0
      ? "Nothing needs attention."
      : `${amount(attentions, "thing needs", "things need")} attention.`;
  return {
    json: { ok: attentions === 0, findings },
    text: [...lines, "", verdict].join("\n"),
    failed: attentions > 0,
  };
}
