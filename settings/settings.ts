import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import * as v from "valibot";
import type { AnalyticsTag, SiteSettings } from "#content/site-settings.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import {
  type Declaration,
  declarations,
  type SettingName,
  settingNames,
} from "./setting-declarations.ts";

export const projectRoot = path.join(import.meta.dirname, "..");

/** In UTF-16 code units. */
const settingMaxLength = 2_000;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type Value<Setting extends Declaration> =
  | v.InferOutput<Setting["schema"]>
  | (Setting extends { default: string } | { like: string } ? never : null);

/** `SITE_URL` is `siteUrl`. Null if unset without a default. */
type Values = {
  [Name in SettingName as CamelCase<Name>]: Value<(typeof declarations)[Name]>;
};

export type Config = Values & {
  /** Null: the site's own stand-in. */
  scheduling: { assetHost: string; url: string; contactUrl: string } | null;
  dkim: { domain: string; selector: string; keyFile: string } | null;
  analytics: AnalyticsTag | null;
};

/** EX_CONFIG of sysexits.h. */
export const wrongSettingsExitCode = 78;

/** `instead` is the end of a sentence. */
export type UnsetSetting = { setting: SettingName; instead: string };

export type ConfigResult =
  | { ok: true; config: Config; unset: UnsetSetting[]; warnings: string[] }
  | { ok: false; mistakes: string[] };

type Given = Partial<Record<SettingName, string>>;

/** The file's faults travel in the environment under names that no setting can have. */
const faultsOfFile = { mistakes: ".env mistakes", warnings: ".env warnings" };

const namesOfFile = ".env names";

/** The only reader of `process.env` and `.env`. */
export function loadEnvironment(folder = projectRoot): Record<string, string | undefined> {
  const { values, mistakes, warnings } = readSettingsFile(path.join(folder, ".env"));
  return {
    ...values,
    ...process.env,
    [faultsOfFile.mistakes]: mistakes.join("\n"),
    [faultsOfFile.warnings]: warnings.join("\n"),
    [namesOfFile]: Object.keys(values)
      .filter((name) => process.env[name] === undefined)
      .join("\n"),
  };
}

/** Then the desk can't set it. */
export function isFixed(env: Record<string, string | undefined>, name: SettingName): boolean {
  return Boolean(env[name]?.trim()) && !env[namesOfFile]?.split("\n").includes(name);
}

/** Reads `.env` with a byte order mark, UTF-16 or CRLF. A missing file has no settings. */
function readSettingsFile(file: string) {
  try {
    const text = decode(readFileSync(file)).replace(/\r\n?/g, "\n");
    return { values: parseEnv(text), ...faultsIn(text, file) };
  } catch (error) {
    const why = errorCode(error) === "EISDIR" ? "it is a folder" : describeCauses(error);
    const mistakes = [`The settings file ${file} can't be read: ${why}.`];
    return { values: {}, mistakes: errorCode(error) === "ENOENT" ? [] : mistakes, warnings: [] };
  }
}

/** By its mark or, since names are ASCII, by the first letter's empty half. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || second === 0)
    return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || first === 0)
    return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

const assignment = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*?)\s*$/;
const isRemark = /^\s*(?:#|$)/;

function faultsIn(text: string, file: string) {
  const mistakes: string[] = [];
  const warnings: string[] = [];
  let open: { quote: string; name: string; place: string } | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const place = `${file}, line ${index + 1}`;
    if (open === null && isRemark.test(line)) continue;
    const [, name, value = ""] = assignment.exec(line) ?? [];
    if (line.includes("\ufffd"))
      mistakes.push(`${place} has a letter that isn't UTF-8. Save the file as UTF-8.`);
    const rest = open === null ? value.slice(1) : line;
    if (open === null) {
      if (name === undefined) {
        warnings.push(`${place} has no setting, so it does nothing: it must read NAME=value.`);
        continue;
      }
      const [quote] = /^["'`]/.exec(value) ?? [];
      if (quote === undefined) {
        if (/^(?:#\S|[^#]*[^\s#]#)/.test(value))
          mistakes.push(`${place}: ${name} is cut off at the #. Write it in quotes: ${name}="…".`);
        continue;
      }
      open = { quote, name, place };
    }
    const end = rest.indexOf(open.quote);
    if (end < 0) continue;
    if (!isRemark.test(rest.slice(end + 1)))
      mistakes.push(
        `${open.place}: ${open.name} is cut off after the second ${open.quote}. Write quotes of another kind around it.`,
      );
    open = null;
  }
  if (open !== null)
    mistakes.push(
      `${open.place}: the ${open.quote} before the value of ${open.name} has no second one.`,
    );
  return { mistakes, warnings };
}

/** An empty value is unset. Lists every mistake. */
export function readConfig(env: Record<string, string | undefined>): ConfigResult {
  const given: Given = {};
  for (const name of settingNames) {
    // Containers keep the quotes that a shell removes.
    const text = env[name]?.trim().replace(/^(["'])(.*)\1$/s, "$2");
    if (text) given[name] = text;
  }
  const faults = (name: string) => env[name]?.split("\n").filter((line) => line !== "") ?? [];
  const mistakes = faults(faultsOfFile.mistakes);
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Declaration>(declarations)) {
    const text = given[name as SettingName] ?? setting.default;
    values[camelCase(name)] =
      text === undefined
        ? ((setting.like && values[camelCase(setting.like)]) ?? null)
        : readSetting(name, setting, text, mistakes);
  }
  mistakes.push(...mistakesTogether(given));
  if (mistakes.length > 0) return { ok: false, mistakes };
  return {
    ok: true,
    config: configOf(values as Values),
    unset: unsetSettings(given),
    warnings: [
      ...faults(faultsOfFile.warnings),
      ...unknownSettings(Object.keys(env)),
      ...missingProxies(given),
    ],
  };
}

function readSetting(name: string, setting: Declaration, text: string, mistakes: string[]) {
  const parsed = v.safeParse(setting.schema, text);
  const fault =
    text.length > (setting.maxLength ?? settingMaxLength)
      ? `must be at most ${setting.maxLength ?? settingMaxLength} characters`
      : parsed.issues?.[0].message;
  if (fault === undefined) return parsed.output;
  const example = setting.example ?? setting.default;
  // A pasted address can hold a sign-in.
  const shown =
    !setting.secret && !text.includes("@") ? ` It is ${JSON.stringify(text.slice(0, 80))}.` : "";
  mistakes.push(`${name} ${fault}${example ? `, for example ${example}` : ""}.${shown}`);
  return null;
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function configOf(values: Values): Config {
  const { schedulingUrl, schedulingContactUrl } = values;
  const { dkimDomain: domain, dkimSelector: selector, dkimKeyFile: keyFile } = values;
  const { analyticsTag: kind, analyticsId: id, analyticsHost } = values;
  return {
    ...values,
    scheduling: schedulingUrl
      ? {
          assetHost: assetHostOf(schedulingUrl),
          url: schedulingUrl,
          contactUrl: schedulingContactUrl ?? schedulingUrl,
        }
      : null,
    dkim: domain && selector && keyFile ? { domain, selector, keyFile } : null,
    analytics: kind && id ? { kind, id, host: analyticsHost ?? analyticsHosts[kind] } : null,
  };
}

/** `https://assets.calendly.com`. */
function assetHostOf(link: string): string {
  const { protocol, host } = new URL(link);
  return `${protocol}//assets.${host.replace(/^www\./, "")}`;
}

const analyticsHosts: Record<AnalyticsTag["kind"], string> = {
  plausible: "https://plausible.io",
  umami: "https://cloud.umami.is",
  ga4: "https://www.googletagmanager.com",
};

type FirmFact = "SITE_PHONE" | "SITE_STREET" | "SITE_POSTAL_CODE" | "SITE_PROFILE_URL";

/** Examples aren't shown as the firm's own. */
function set(value: string, name: FirmFact): string {
  return value === declarations[name].default ? "" : value;
}

export function logoPath(type: "svg" | "png"): string {
  return `/logo.${type}`;
}

/** `port` is the one in use. */
export function siteSettings(config: Config, port: number = config.port): SiteSettings {
  const address = config.siteUrl ?? `http://localhost:${port}`;
  // Without a provider, booking links lead to the contact page's card.
  const standIn = `${address}/contact#discovery-call`;
  return {
    url: address,
    name: config.siteName,
    email: config.siteEmail,
    phone: set(config.sitePhone, "SITE_PHONE"),
    street: set(config.siteStreet, "SITE_STREET"),
    postalCode: set(config.sitePostalCode, "SITE_POSTAL_CODE"),
    profileUrl: set(config.siteProfileUrl, "SITE_PROFILE_URL"),
    accent: config.siteColour,
    scheduling: config.scheduling ?? { assetHost: "", url: standIn, contactUrl: standIn },
    ...(config.analytics && { analytics: config.analytics }),
    ...(config.siteLogo && { logo: logoPath(config.siteLogo.type) }),
  };
}

function mistakesTogether(given: Given): string[] {
  const mistakes = new Set<string>();
  function requireTogether(names: SettingName[], needed: SettingName[] = names) {
    const set = names.find((name) => given[name]);
    if (!set) return;
    for (const name of needed) {
      const { example } = declarations[name] as Declaration;
      if (!given[name])
        mistakes.add(`${name} must be set too, since ${set} is, for example ${example}.`);
    }
  }
  requireTogether(["SCHEDULING_CONTACT_URL"], ["SCHEDULING_URL"]);
  requireTogether(["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"]);
  requireTogether(["ANALYTICS_TAG", "ANALYTICS_ID"]);
  requireTogether(["ANALYTICS_HOST"], ["ANALYTICS_TAG"]);
  if (given.ANALYTICS_TAG === "ga4" && given.ANALYTICS_HOST)
    mistakes.add("ANALYTICS_HOST must not be set for ga4, whose script comes from Google.");
  const metricsPort = Number(given.METRICS_ADDRESS?.split(":").at(-1));
  if (metricsPort && metricsPort === Number(given.PORT ?? declarations.PORT.default))
    mistakes.add(
      `METRICS_ADDRESS must have another port than PORT, since visitors must not reach it, for example ${declarations.METRICS_ADDRESS.example}.`,
    );
  return [...mistakes];
}

function unsetSettings(given: Given): UnsetSetting[] {
  return settingNames.flatMap((setting) => {
    const { unset } = declarations[setting] as Declaration;
    const isIdle = setting === "WEBHOOK_SECRET" && !given.NEWSLETTER_WEBHOOK_URL;
    return unset && !given[setting] && !isIdle ? [{ setting, instead: unset }] : [];
  });
}

/** Likely typing errors. Other programs use `LOG_` too. */
function unknownSettings(names: string[]): string[] {
  const prefixOf = (name: string) => /^(?!LOG_)[^_]+_/.exec(name)?.[0];
  return names.flatMap((given) => {
    if (Object.hasOwn(declarations, given)) return [];
    const name = given.toUpperCase();
    const near = settingNames.filter((other) => lettersApart(name, other) <= other.length / 4);
    const prefix = prefixOf(name);
    const alike = settingNames.filter((other) => prefix && prefixOf(other) === prefix);
    const meant = near.length > 0 ? near : alike;
    if (meant.length === 0) return [];
    return [`${given} is not a setting, so it does nothing. Did you mean ${meant.join(" or ")}?`];
  });
}

/** Letters that differ, in whatever order. */
function lettersApart(one: string, other: string): number {
  const left = [...other];
  const more = [...one].filter((letter) => {
    const at = left.indexOf(letter);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return more.length + left.length;
}

/** An https address needs a proxy, since this server speaks http. */
function missingProxies({ SITE_URL, TRUSTED_PROXIES }: Given): string[] {
  if (!SITE_URL?.startsWith("https:") || TRUSTED_PROXIES) return [];
  return [
    "TRUSTED_PROXIES is not set while SITE_URL is https: all visitors count as one for the limits, and the proxy's " +
      "address is kept as the proof of consent. Set it to the proxy's address, for example 127.0.0.1.",
  ];
}
