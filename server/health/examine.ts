import { figuresWithoutSource } from "#content/claims.ts";
import { isOwners, labelOf } from "#settings/owner-settings.ts";
import { type Config, isPublicAddress, type ReadSettings } from "#settings/settings.ts";
import { checkDatabase } from "./check-database.ts";
import {
  attention,
  checkBounceMailbox,
  checkDisk,
  checkListening,
  checkMail,
  type NamedFinding,
  note,
  ok,
  runChecks,
} from "./check-machine.ts";
import { checkSendingDomain } from "./check-sending-domain.ts";

const order = ["ok", "note", "attention"];

/** For doctor: everything, asked now. Changes and sends nothing. What needs attention comes last. */
export async function examine(settings: ReadSettings, now: Date): Promise<NamedFinding[]> {
  const found = await Promise.all([
    checkSettings(settings),
    describeClaims(),
    checkDatabase(settings.config, now),
    checkSurroundings(settings.config),
  ]);
  return found.flat().toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/** Asks mail servers, DNS, the disk and the running site, which may take seconds. */
async function checkSurroundings(config: Config): Promise<NamedFinding[]> {
  const found = await Promise.all([
    runChecks({ Site: checkListening(config) }),
    checkSendingDomain(config),
    runChecks({
      Mail: checkMail(config),
      "Bounce mailbox": checkBounceMailbox(config),
      Disk: checkDisk(config),
    }),
  ]);
  return found.flat();
}

/** Providers limit how often one may sign in. */
const keptMs = 3 * 60_000;

/** For the desk: the surroundings as they were found within three minutes, or since a setting was changed. */
export function createHealth() {
  let kept = { of: "", at: 0, found: Promise.resolve<NamedFinding[]>([]) };
  return async (settings: ReadSettings, now: Date): Promise<NamedFinding[]> => {
    const of = JSON.stringify({ ...settings.config, siteLogo: null });
    const at = now.getTime();
    if (kept.of !== of || Math.abs(at - kept.at) > keptMs)
      kept = { of, at, found: checkSurroundings(settings.config) };
    return [...describeSettings(settings), ...(await kept.found)];
  };
}

// Visitors and subscribers see these, so a public site must not show the examples; the law asks for the address too.
const factsOfTheFirm = /^SITE_(?:NAME|EMAIL|PHONE|STREET|POSTAL_CODE)$/;

function lacksFacts({ config, unset }: ReadSettings): boolean {
  const isLacking = unset.some(({ setting }) => factsOfTheFirm.test(setting));
  return isLacking && isPublicAddress(config.siteUrl);
}

/** By the environment's names. A fact missing on a public site needs attention; on a laptop it may wait. */
function checkSettings(settings: ReadSettings): NamedFinding[] {
  const { unset, warnings } = settings;
  const needed = lacksFacts(settings) ? factsOfTheFirm : /^$/;
  const findings = [
    ...unset
      .filter(({ setting }) => setting !== "SMTP_URL")
      .map(({ setting, instead }) => {
        const finding = needed.test(setting) ? attention : note;
        return { about: setting, ...finding(`It is not set: ${instead}.`) };
      }),
    ...warnings.map(({ name, problem }) => ({ about: name, ...attention(`It ${problem}.`) })),
  ];
  return findings.length > 0 ? findings : [{ about: "Settings", ...ok("Everything is set.") }];
}

/** The same for the desk, which shows labels in place of the environment's names. */
function describeSettings(settings: ReadSettings): NamedFinding[] {
  const { warnings } = settings;
  const found: NamedFinding[] = warnings
    .filter(({ name }) => isOwners(name))
    .map(({ name, problem }) => ({
      about: labelOf(name),
      ...attention(`It ${problem}.`),
      to: "/settings",
    }));
  if (lacksFacts(settings))
    found.push({
      about: "Your firm",
      ...attention("Visitors see examples in place of what your firm is called and where it is."),
      to: "/settings",
    });
  if (warnings.some(({ name }) => !isOwners(name)))
    found.push({
      about: "Settings",
      ...attention(
        "A setting of the server needs care.",
        "Ask whoever set it up: npm run site -- doctor says which.",
      ),
    });
  return found;
}

function describeClaims(): NamedFinding[] {
  const lines = figuresWithoutSource.map(({ path, figures }) => `${path}: ${figures.join("; ")}`);
  const count = figuresWithoutSource.flatMap(({ figures }) => figures).length;
  const claims = note(
    `${count} figures on the site name no published source.`,
    `Keep evidence of each from before it is shown (Competition Act, s. 74.01), or change it in content/:\n    ${lines.join("\n    ")}`,
  );
  return [{ about: "Claims", ...claims }];
}
