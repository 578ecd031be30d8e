import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import type { SiteSettings } from "#content/site-settings.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import {
  type Declaration,
  declarationOf,
  declarations,
  type SettingName,
  settingNames,
} from "./setting-declarations.ts";

export const projectRoot = path.join(import.meta.dirname, "..");

export type Environment = Record<string, string | undefined>;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type Value<Setting extends Declaration> =
  | NonNullable<ReturnType<Setting["kind"]["read"]>>
  | (Setting extends { default: string } | { like: string } ? never : null);

/** `SITE_URL` is `siteUrl`. Null if unset without a default. */
type Values = {
  [Name in SettingName as CamelCase<Name>]: Value<(typeof declarations)[Name]>;
};

export type Config = Values & {
  dkim: { domain: string; selector: string; keyFile: string } | null;
};

/** EX_CONFIG of sysexits.h. */
export const wrongSettingsExitCode = 78;

/** `name` is a setting's or the file's, and `problem` the rest of a sentence about it: "must be an email address". */
export type Mistake = { name: string; problem: string };

/** As the terminal shows it; the desk has a label in place of the name. */
export function describeMistake({ name, problem }: Mistake): string {
  const setting = declarationOf(name);
  const example = setting?.example ?? setting?.default;
  return `${name} ${problem}.${example ? ` For example: ${example}` : ""}`;
}

export type ReadSettings = {
  ok: true;
  config: Config;
  /** `instead` is the end of a sentence. */
  unset: { setting: SettingName; instead: string }[];
  warnings: Mistake[];
};

/** The file's names and faults travel in the environment, under a name that no setting can have. */
const fileKey = ".env";

function foundInFile(env: Environment): { names: string[]; mistakes: Mistake[] } {
  return JSON.parse(env[fileKey] ?? '{"names":[],"mistakes":[]}');
}

/** The only reader of `process.env` and `.env`. */
export function loadEnvironment(folder = projectRoot): Environment {
  const { values, mistakes } = readSettingsFile(path.join(folder, ".env"));
  const names = Object.keys(values).filter((name) => process.env[name] === undefined);
  return { ...values, ...process.env, [fileKey]: JSON.stringify({ names, mistakes }) };
}

/** Then the desk can't set it. */
export function isFixed(env: Environment, name: string): boolean {
  return Boolean(env[name]?.trim()) && !foundInFile(env).names.includes(name);
}

/** A missing file has no settings. */
function readSettingsFile(file: string) {
  try {
    const text = readFileSync(file, "utf8")
      .replace(/^\ufeff/, "")
      .replace(/\r\n?/g, "\n");
    return { values: parseEnv(text), mistakes: faultsIn(text, file) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { values: {}, mistakes: [] };
    const why = errorCode(error) === "EISDIR" ? "it is a folder" : describeCauses(error);
    return { values: {}, mistakes: [{ name: file, problem: `can't be read: ${why}` }] };
  }
}

const assignmentCutAtHash = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(?:#\S|[^\s#"'`][^#]*(?<=[^\s#])#)/;

/** `parseEnv` takes these without a word. */
function faultsIn(text: string, file: string): Mistake[] {
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*#/.test(line)) return [];
    if (line.includes("\ufffd")) {
      const problem = "has a letter that isn't UTF-8. Save the file as UTF-8";
      return [{ name: `${file}, line ${index + 1},`, problem }];
    }
    const [, name] = assignmentCutAtHash.exec(line) ?? [];
    if (name === undefined) return [];
    const problem = `is cut off at the # in line ${index + 1} of ${file}. Write it in quotes: ${name}="…"`;
    return [{ name, problem }];
  });
}

/** An empty value is unset. Lists every mistake. */
export function readConfig(env: Environment): ReadSettings | { ok: false; mistakes: Mistake[] } {
  const found = foundInFile(env);
  const mistakes = [...found.mistakes];
  const unset: ReadSettings["unset"] = [];
  const given: Environment = {};
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    const setting: Declaration = declarations[name];
    // Containers keep the quotes that a shell removes.
    given[name] = env[name]?.trim().replace(/^(["'])(.*)\1$/s, "$2");
    if (!given[name] && setting.unset) unset.push({ setting: name, instead: setting.unset });
    const text = given[name] || setting.default;
    if (text === undefined) {
      values[camelCase(name)] = setting.like ? values[camelCase(setting.like)] : null;
      continue;
    }
    const { kind, maxLength = 2_000 } = setting;
    const value = text.length > maxLength ? null : kind.read(text);
    values[camelCase(name)] = value;
    if (value === null) mistakes.push({ name, problem: `must be ${kind.mustBe}` });
  }
  mistakes.push(...missingOfDkim(given));
  if (mistakes.length > 0) return { ok: false, mistakes };
  const warnings = [...unknownSettings(found.names), ...missingProxies(given)];
  const read = values as Values;
  const { dkimDomain: domain, dkimSelector: selector, dkimKeyFile: keyFile } = read;
  const dkim = domain && selector && keyFile ? { domain, selector, keyFile } : null;
  return { ok: true, config: { ...read, dkim }, unset, warnings };
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

const dkimSettings = ["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"];

function missingOfDkim(given: Environment): Mistake[] {
  const missing = dkimSettings.filter((name) => !given[name]);
  if (missing.length === dkimSettings.length) return [];
  const problem = "must be set too: mail is signed by all three DKIM settings";
  return missing.map((name) => ({ name, problem }));
}

/** Names in the file that begin like ours: likely typing errors. */
function unknownSettings(names: string[]): Mistake[] {
  const beginnings = new Set(settingNames.map((name) => name.split("_")[0]));
  return names
    .filter((name) => !declarationOf(name) && beginnings.has(name.toUpperCase().split("_")[0]))
    .map((name) => ({ name, problem: "is not a setting, so it does nothing" }));
}

/** An https address needs a proxy, since this server speaks http. */
function missingProxies({ SITE_URL, TRUSTED_PROXIES }: Environment): Mistake[] {
  if (!SITE_URL?.startsWith("https:") || TRUSTED_PROXIES) return [];
  const problem =
    "must be set behind https: without it all visitors count as one for the limits, and the proxy's address is kept as the proof of consent";
  return [{ name: "TRUSTED_PROXIES", problem }];
}

/** An address of this machine is for trying the site out. */
export function isPublicAddress(address: string | null): boolean {
  const host = URL.parse(address ?? "")?.hostname ?? "localhost";
  return !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** A drawing may hold scripts. */
export const logoPolicy = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

export function logoPath(type: "svg" | "png"): string {
  return `/logo.${type}`;
}

/** `port` is the one in use. */
export function siteSettings(config: Config, port: number = config.port): SiteSettings {
  const address = config.siteUrl ?? `http://localhost:${port}`;
  // On a public address an example would be taken for the firm's own.
  const own = (value: string, { default: example }: { default: string }) =>
    value === example && isPublicAddress(address) ? "" : value;
  return {
    url: address,
    name: config.siteName,
    email: config.siteEmail,
    phone: own(config.sitePhone, declarations.SITE_PHONE),
    street: own(config.siteStreet, declarations.SITE_STREET),
    postalCode: own(config.sitePostalCode, declarations.SITE_POSTAL_CODE),
    profileUrl: own(config.siteProfileUrl, declarations.SITE_PROFILE_URL),
    registration: config.siteRegistration ?? "",
    clearance: config.siteWsib ?? "",
    insurance: config.siteInsurance ?? "",
    reviewsUrl: config.siteReviewsUrl ?? "",
    accent: config.siteColour,
    scheduling: schedulingOf(config, address),
    ...(config.siteLogo && { logo: logoPath(config.siteLogo.type) }),
  };
}

/** Without a provider, booking links lead to the contact page's card. */
function schedulingOf({ schedulingUrl, schedulingContactUrl }: Config, address: string) {
  const url = schedulingUrl ?? schedulingContactUrl;
  if (url === null) {
    const standIn = `${address}/contact#discovery-call`;
    return { assetHost: "", url: standIn, contactUrl: standIn };
  }
  const { protocol, host } = new URL(url);
  // `https://assets.calendly.com`.
  const assetHost = `${protocol}//assets.${host.replace(/^www\./, "")}`;
  return { assetHost, url, contactUrl: schedulingContactUrl ?? url };
}
