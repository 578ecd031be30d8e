import type * as v from "valibot";
import { type Environment, type SettingName, settingNames } from "#contracts/environment.ts";
import { defaultPort, exampleFacts } from "./setting-defaults.ts";

/** A setting that is not set yet, and what the site does without it, as a sentence's end. */
export type UnsetSetting = { setting: SettingName; instead: string };

const settingsWithoutSecrets: string[] = [
  "PORT",
  "HOST",
  "LOG_LEVEL",
  "METRICS_ADDRESS",
  "ANALYTICS_TAG",
  "ANALYTICS_ID",
  "SMTP_RATE",
  "SMTP_CONNECTIONS",
  "DKIM_DOMAIN",
  "DKIM_SELECTOR",
  "TRUSTED_PROXIES",
  "SITE_CACHE_TAGS",
  ...Object.keys(exampleFacts),
] satisfies SettingName[] | string[];

const shownValueMaxLength = 80;

/** What is wrong with one setting; values that can hold a secret are never repeated. */
export function describeIssue(issue: v.BaseIssue<unknown>): string {
  const name = String(issue.path?.[0]?.key);
  const value = String(issue.path?.[0]?.value).slice(0, shownValueMaxLength);
  // A pasted address can carry a sign-in even where none belongs.
  const shown = settingsWithoutSecrets.includes(name) && !value.includes("@");
  return `${name} ${issue.message}${shown ? ` It is ${JSON.stringify(value)}.` : ""}`;
}

/** What is wrong with settings that are each right by themselves. */
export function crossMistakes(given: Partial<Record<string, string>>): string[] {
  const mistakes: string[] = [];
  const requireTogether = (name: SettingName, needed: SettingName, example: string) => {
    if (given[name] && !given[needed])
      mistakes.push(`${needed} must be set too, since ${name} is, for example ${example}.`);
  };
  requireTogether("BACKEND_URL", "BACKEND_ANON_KEY", "sb_publishable_abc123");
  requireTogether("BACKEND_ANON_KEY", "BACKEND_URL", "https://abcdefgh.supabase.co");
  requireTogether("SCHEDULING_URL", "SCHEDULING_ASSET_HOST", "https://assets.calendly.com");
  requireTogether("SCHEDULING_ASSET_HOST", "SCHEDULING_URL", "https://calendly.com/example/30min");
  requireTogether(
    "DATABASE_READ_URL",
    "DATABASE_URL",
    "postgres://user:password@localhost:5432/chalkline",
  );
  const signing = (["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"] as const).find(
    (name) => given[name],
  );
  if (signing) {
    requireTogether(signing, "DKIM_DOMAIN", "example.com");
    requireTogether(signing, "DKIM_SELECTOR", "mail2026");
    requireTogether(signing, "DKIM_KEY_FILE", "./dkim-private.pem");
  }
  requireTogether("ANALYTICS_TAG", "ANALYTICS_ID", "www.example.com");
  requireTogether("ANALYTICS_ID", "ANALYTICS_TAG", "plausible");
  requireTogether("ANALYTICS_HOST", "ANALYTICS_TAG", "plausible");
  if (given.ANALYTICS_TAG === "ga4" && given.ANALYTICS_HOST)
    mistakes.push("ANALYTICS_HOST must not be set for ga4, whose script comes from Google.");
  if (!given.SCHEDULING_ASSET_HOST)
    requireTogether(
      "SCHEDULING_CONTACT_URL",
      "SCHEDULING_URL",
      "https://calendly.com/example/30min",
    );
  const metricsPort = /:(\d+)$/.exec(given.METRICS_ADDRESS ?? "")?.[1];
  if (metricsPort && Number(metricsPort) !== 0 && Number(metricsPort) === publicPort(given))
    mistakes.push(
      "METRICS_ADDRESS must have another port than PORT, since visitors must not reach it, for example 127.0.0.1:9464.",
    );
  if (given.BACKEND_ANON_KEY && isSecretKey(given.BACKEND_ANON_KEY))
    mistakes.push(
      "BACKEND_ANON_KEY is the project's secret key, which every visitor could read; it must be the public one, for example sb_publishable_abc123.",
    );
  return mistakes;
}

function publicPort(given: Partial<Record<string, string>>): number {
  return Number(given.PORT ?? defaultPort);
}

/** Whether a hosted project's key opens everything: `sb_secret_…`, or a token whose role is `service_role`. */
function isSecretKey(key: string): boolean {
  const claims = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
  return key.startsWith("sb_secret_") || /"role"\s*:\s*"service_role"/.test(claims);
}

export function unsetSettings(env: Environment): UnsetSetting[] {
  const instead: [SettingName, string][] = [
    ["SITE_URL", "addresses in pages and mails are those of this machine"],
    ...Object.entries(exampleFacts).map(([name, value]): [SettingName, string] => [
      name as SettingName,
      `${value} is shown`,
    ]),
    ["SCHEDULING_URL", "booking buttons open a stand-in that says how to reach you"],
  ];
  // A hosted project sends its own mail and events.
  if (!env.BACKEND_URL) {
    instead.push(["SMTP_URL", "mail is written to files and not sent"]);
    instead.push(["NEWSLETTER_WEBHOOK_URL", "no workflow is told of new subscribers"]);
    if (env.NEWSLETTER_WEBHOOK_URL)
      instead.push(["WEBHOOK_SECRET", "webhook calls go out without a signature"]);
  }
  return instead
    .filter(([name]) => env[name] === undefined)
    .map(([setting, meaning]) => ({ setting, instead: meaning }));
}

/** `SMTP_` and the like. `LOG_` is other programs' too. */
const ownPrefixes = new Set(
  settingNames.map(prefixOf).filter((prefix) => prefix !== "" && prefix !== "LOG_"),
);

/** Names that begin like ours and are none of them: likely a slip of the pen. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const names: string[] = settingNames;
  return Object.keys(env)
    .filter((name) => ownPrefixes.has(prefixOf(name)) && !names.includes(name))
    .map((name) => {
      const known = names.filter((other) => prefixOf(other) === prefixOf(name)).join(", ");
      return `${name} is not a setting, so it does nothing. Those that start so: ${known}.`;
    });
}

/** Up to the first underscore, and that with it; empty where there is none. */
function prefixOf(name: string): string {
  return name.slice(0, name.indexOf("_") + 1);
}

/** This server speaks no https itself, so an https address means that something in front of it does. */
export function missingProxies({ SITE_URL, TRUSTED_PROXIES }: Environment): string[] {
  if (!SITE_URL?.startsWith("https:") || TRUSTED_PROXIES) return [];
  return [
    "TRUSTED_PROXIES is not set while SITE_URL is https: all visitors count as one for the limits, and the proxy's " +
      "address is kept as the proof of consent. Set it to the proxy's address, for example 127.0.0.1.",
  ];
}
