import { figuresWithoutSource } from "#content/claims.ts";
import { describeCauses } from "#db/describe-causes.ts";
import type { ConfigResult } from "#settings/settings.ts";
import { checkDatabase } from "./check-database.ts";
import {
  attention,
  checkListening,
  checksOfMachine,
  type Finding,
  isPublicSite,
  note,
  ok,
} from "./check-machine.ts";
import { checkSendingDomain } from "./check-sending-domain.ts";

export type NamedFinding = Finding & { about: string };

type ReadSettings = Extract<ConfigResult, { ok: true }>;

// Visitors and subscribers see these, so a public site must not show the examples; the law asks for the address too.
const factsOfTheFirm = /^SITE_(?:NAME|EMAIL|PHONE|STREET|POSTAL_CODE)$/;

const order = ["ok", "note", "attention"];

/**
 * Looks at the settings, the database, mail, DNS, the disk and the running site. It changes and sends nothing, and may
 * take seconds. What needs attention comes last. A check that breaks is a finding itself.
 */
export async function examine(settings: ReadSettings, now: Date): Promise<NamedFinding[]> {
  const { config } = settings;
  const checks: Checks = {
    Settings: checkSettings(settings),
    Site: checkListening(config),
    Database: checkDatabase(config, now),
    "Sending domain": checkSendingDomain(config),
    ...checksOfMachine(config),
    Claims: checkClaims(),
  };
  const found = await Promise.all(
    Object.entries(checks).map(async ([about, check]) => {
      const findings = await Promise.resolve(check).catch((error) =>
        attention(`could not be checked: ${describeCauses(error)}`),
      );
      return [findings].flat().flatMap((finding) => (finding ? [{ about, ...finding }] : []));
    }),
  );
  return found.flat().toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

type Findings = Finding | Finding[] | null;
type Checks = Record<string, Findings | Promise<Findings>>;

/** A fact missing on a public site needs attention; on a laptop it may wait. */
function checkSettings({ config, unset, warnings }: ReadSettings): Finding[] {
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

function checkClaims(): Finding {
  const lines = figuresWithoutSource.map(({ path, figures }) => `${path}: ${figures.join("; ")}`);
  return note(
    `${figuresWithoutSource.flatMap(({ figures }) => figures).length} figures on the site name no published source.`,
    `Keep evidence of each from before it is shown (Competition Act, s. 74.01), or change it in content/:\n    ${lines.join("\n    ")}`,
  );
}
