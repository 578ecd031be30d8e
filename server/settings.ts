import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { parseEnv } from "node:util";
import * as v from "valibot";
import type { AnalyticsTag, SiteSettings } from "#contracts/site-settings.ts";
import { emailAddress } from "#contracts/text.ts";
import { errorCode } from "#db/describe-causes.ts";

/** The folder that holds package.json. Relative paths in settings start here, wherever a command is called from. */
export const projectRoot = path.join(import.meta.dirname, "..");

/**
 * One setting, said once: what is read, what the start and `doctor` say of it, and its lines in `.env.example` and
 * docs/operating.md (`npm run settings` writes both).
 */
type Declaration = {
  /** What it is, for the form and the table; in Markdown. */
  about: string;
  /** Reads the operator's text. A message follows the setting's name: "must be …", without the example. */
  schema: v.GenericSchema<string, unknown>;
  /** Shown in messages and documents. */
  example?: string;
  /** Taken where it isn't set, as the operator would write it. */
  default?: string;
  /** The setting, declared before, whose value is taken where this one isn't set. */
  like?: string;
  /** What happens without it, for the documents. */
  without?: string;
  /** What the site does without it, for the list that the start prints of what is not set yet. */
  unset?: string;
  /** Its value can hold a secret, so no message repeats it. */
  secret?: true;
};

type Declarations = Record<string, Declaration>;

const firm = {
  SITE_URL: {
    about: "the site's public address, nothing after the host",
    schema: origin("the site's http or https address and nothing after it"),
    example: "https://www.example.com",
    without: "`http://localhost:` and the port",
    unset: "addresses in pages and mails are those of this machine",
  },
  SITE_NAME: { about: "the firm's name", schema: words(), ...exampleFact("Chalkline") },
  SITE_EMAIL: {
    about: "the general email address",
    schema: email(),
    ...exampleFact("hello@chalkline.example"),
  },
  SITE_PHONE: {
    about: "the telephone number",
    schema: matching(/^\+?[\d\s().-]{7,30}$/, "a telephone number"),
    ...exampleFact("+1 416 555 0142"),
  },
  SITE_STREET: {
    about: "street and number in Toronto",
    schema: words(),
    ...exampleFact("1 Example Street"),
  },
  SITE_POSTAL_CODE: {
    about: "the postal code",
    schema: matching(/^[a-z]\d[a-z] ?\d[a-z]\d$/i, "a Canadian postal code"),
    ...exampleFact("M5V 0A0"),
  },
  SITE_PROFILE_URL: {
    about: "the firm's page at a directory or social network",
    schema: webAddress(),
    ...exampleFact("https://profiles.example/chalkline"),
  },
} satisfies Declarations;

const booking = {
  SCHEDULING_ASSET_HOST: {
    about: "where the provider's widget is loaded from",
    schema: origin("the http or https address that the widget is loaded from and nothing after it"),
    example: "https://assets.calendly.com",
  },
  SCHEDULING_URL: {
    about: "the 30-minute booking page that most buttons open",
    schema: webAddress(),
    example: "https://calendly.com/example/30min",
    unset: "booking buttons open a stand-in that says how to reach you",
  },
  SCHEDULING_CONTACT_URL: {
    about: "the booking page of the contact page",
    schema: webAddress(),
    example: "https://calendly.com/example/consultation",
    without: "`SCHEDULING_URL`",
  },
} satisfies Declarations;

const mail = {
  SMTP_URL: {
    about: "the mail server, by `smtps://` or `smtp://`",
    schema: url(["smtp:", "smtps:"], "an smtp:// or smtps:// address with a host"),
    example: "smtps://user:password@mail.example.com:465",
    without: "each mail is written as an `.eml` file into `mail` in the data folder",
    unset: "mail is written to files and not sent",
    secret: true,
  },
  MAIL_FROM: { about: "the address that mail is from", schema: email(), like: "SITE_EMAIL" },
  MAIL_FROM_NEWSLETTER: {
    about:
      "the address that issues are from; its own, so that a complaint about an issue doesn't hurt other mail",
    schema: email(),
    like: "MAIL_FROM",
  },
  CONTACT_TO: {
    about: "where the contact form's messages are mailed to",
    schema: email(),
    like: "SITE_EMAIL",
  },
  SMTP_RATE: {
    about: "issues sent a second, by all instances of the server together",
    schema: read("how many newsletters are sent a second", (text) =>
      /^(?=.*[1-9])\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : null,
    ),
    default: "5",
    example: "5 or 0.5",
  },
  SMTP_CONNECTIONS: {
    about: "SMTP connections for issues; the same number again for all other mail",
    schema: wholeNumber(1, 50),
    default: "3",
  },
  DKIM_DOMAIN: {
    about: "the domain that mail is signed for (DKIM); the three DKIM settings go together",
    schema: v.pipe(
      matching(/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i, "a domain"),
      v.toLowerCase(),
    ),
    example: "example.com",
    without: "mail goes out unsigned, and your mail service may sign it",
  },
  DKIM_SELECTOR: {
    about: "the selector that the key is published under",
    schema: matching(/^[a-z0-9][a-z0-9._-]{0,62}$/i, "a selector"),
    example: "mail2026",
  },
  DKIM_KEY_FILE: {
    about: "the private key, in PEM",
    schema: file(),
    example: "./dkim-private.pem",
  },
  BOUNCE_MAILBOX: {
    about:
      "the mailbox that undelivered issues and complaints come back to, read by IMAP, with `%40` for the @ in the user. " +
      "Where the user isn't the mailbox's address, add it: `…/INBOX?address=bounces@example.com`. `imap://` asks for " +
      "STARTTLS; without encryption only `localhost` is sent the password. A certificate of an authority of your own is " +
      "named in the process's environment: `NODE_EXTRA_CA_CERTS=FILE`",
    schema: read(
      "imaps://, a user, a password and a host, with ?address= after it where the user isn't an email address",
      readBounceMailbox,
    ),
    example: "imaps://bounces%40example.com:password@imap.example.com/INBOX",
    without: "they come back to `MAIL_FROM_NEWSLETTER`, and somebody has to read them",
    secret: true,
  },
  MAIL_EVENTS_SECRET: {
    about:
      "the secret that a mail service signs its reports of bounces and complaints with, posted to `/functions/v1/mail-events`",
    schema: webhookSecret(),
    without: "that address is not found",
    secret: true,
  },
  NEWSLETTER_WEBHOOK_URL: {
    about: "the address that is called for each new subscriber; no other is ever called",
    schema: webAddress(),
    example: "https://hooks.example.com/newsletter",
    without: "no call is made",
    unset: "no workflow is told of new subscribers",
    secret: true,
  },
  WEBHOOK_SECRET: {
    about: "the secret that signs those calls, by the Standard Webhooks specification",
    schema: webhookSecret(),
    without: "they go out unsigned",
    unset: "webhook calls go out without a signature",
    secret: true,
  },
} satisfies Declarations;

const data = {
  DATA_DIR: {
    about:
      "the folder of the SQLite file and of mail files; a relative path starts in the project's folder",
    schema: file("a folder"),
    default: "data",
    example: "./data",
  },
  DATABASE_URL: {
    about: "a PostgreSQL database",
    schema: url(["postgres:", "postgresql:"], "a postgres:// address with a host and a database"),
    example: "postgres://user:password@localhost:5432/chalkline",
    without: "SQLite in the data folder",
    secret: true,
  },
  BACKEND_URL: {
    about:
      "a hosted Supabase project, or another instance of this site, in place of the built-in backend; the site then stores " +
      "no data ([deploying.md](deploying.md#5-several-regions))",
    schema: v.pipe(
      webAddress(),
      v.transform((text) => text.replace(/\/+$/, "")),
    ),
    example: "https://abcdefgh.supabase.co",
    without: "the built-in backend",
  },
  BACKEND_ANON_KEY: {
    about:
      "that project's public key; a secret key is refused, since every visitor can read this one",
    schema: matching(/^[\w.~+/=-]{8,}$/, "the project's public (anon or publishable) key"),
    example: "sb_publishable_abc123",
    secret: true,
  },
} satisfies Declarations;

const counting = {
  ANALYTICS_TAG: {
    about: "`plausible`, `umami` or `ga4`",
    schema: oneOf("plausible", "umami", "ga4"),
    example: "plausible",
    without: "no script on any page",
  },
  ANALYTICS_ID: {
    about: "the site's id there: its domain for Plausible, a UUID for Umami, `G-…` for GA4",
    schema: matching(
      /^[a-z0-9][a-z0-9.-]{0,99}$/i,
      "the site's id at the counting service: its domain for Plausible, a UUID for Umami, G-XXXXXXXXXX for GA4",
    ),
    example: "www.example.com",
  },
  ANALYTICS_HOST: {
    about: "where the script is loaded from, for a Plausible or Umami of your own",
    schema: origin("the http or https address that the script is loaded from and nothing after it"),
    example: "https://count.example.com",
    without: "`https://plausible.io`, `https://cloud.umami.is`",
  },
} satisfies Declarations;

const server = {
  PORT: {
    about: "where to listen; 0 takes any free port and says which",
    schema: wholeNumber(0, 65_535),
    default: "3000",
  },
  HOST: {
    about: "the name or address to listen on",
    schema: matching(/^[a-z0-9.:_-]+$/i, "the name or address to listen on"),
    example: "127.0.0.1",
    without: "every address of the machine",
  },
  TRUSTED_PROXIES: {
    about:
      "addresses and CIDR ranges of your own proxies, with commas. A visitor's address is taken from X-Forwarded-For only where one of these sent it",
    schema: read("addresses or CIDR ranges with commas between them", (text) => {
      const parts = text === "" ? [] : text.split(",").map((part) => part.trim());
      return parts.every(isAddressOrRange) ? parts : null;
    }),
    default: "",
    example: "10.0.0.0/8,127.0.0.1",
    without: "none",
  },
  SITE_CACHE_TAGS: {
    about:
      "a word that begins the `Cache-Tag` of pages, by which a CDN is told to forget them: the word on all, `chalkline-issues` " +
      "on those that a new issue changes, `chalkline-issue-12` on those that show it",
    schema: matching(
      /^[a-z0-9][a-z0-9-]{0,31}$/i,
      "a word of letters, digits and hyphens that your tags begin with",
    ),
    example: "chalkline",
    without: "no tags",
  },
  LOG_LEVEL: {
    about: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`",
    schema: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
  },
  METRICS_ADDRESS: {
    about:
      "an address and a port, not the site's, where Prometheus reads metrics. Each instance needs its own; the systemd unit sets it",
    schema: read("an address and a port with a colon between them", readListenAddress),
    example: "127.0.0.1:9464",
    without: "no metrics",
  },
} satisfies Declarations;

/** In the order of the form; each title is a heading of docs/operating.md. */
export const settingGroups: { title: string; settings: Declarations }[] = [
  { title: "The firm", settings: firm },
  { title: "Booking", settings: booking },
  { title: "Mail and the workflow", settings: mail },
  { title: "Data", settings: data },
  { title: "A counting service", settings: counting },
  { title: "The server", settings: server },
];

const declarations = { ...firm, ...booking, ...mail, ...data, ...counting, ...server };

export type SettingName = keyof typeof declarations;

export const settingNames = Object.keys(declarations) as SettingName[];

/** Longest value of any setting, in UTF-16 code units. */
const settingMaxLength = 2_000;

// ─── The typed settings ───

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type Value<Setting extends Declaration> =
  | v.InferOutput<Setting["schema"]>
  | (Setting extends { default: string } | { like: string } ? never : null);

/** Each setting by its name in camel case: `SITE_URL` is `siteUrl`. Null where it isn't set and nothing is taken instead. */
type Values = {
  [Name in SettingName as CamelCase<Name>]: Value<(typeof declarations)[Name]>;
};

export type Config = Values & {
  /** Null: the site's own stand-in. */
  scheduling: { assetHost: string; url: string; contactUrl: string } | null;
  dkim: { domain: string; selector: string; keyFile: string } | null;
  hostedBackend: { url: string; anonKey: string } | null;
  analytics: AnalyticsTag | null;
};

export type LogLevel = Config["logLevel"];

/** A setting that is not set yet, and what the site does without it, as the end of a sentence. */
export type UnsetSetting = { setting: SettingName; instead: string };

export type ConfigResult =
  | { ok: true; config: Config; unset: UnsetSetting[]; warnings: string[] }
  | { ok: false; mistakes: string[] };

type Given = Partial<Record<SettingName, string>>;

/** The environment of this process over the project's `.env`. The only place that reads either. */
export function loadEnvironment(): Record<string, string | undefined> {
  let file: NodeJS.Dict<string> = {};
  try {
    file = parseEnv(readFileSync(path.join(projectRoot, ".env"), "utf8"));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  return { ...file, ...process.env };
}

/**
 * Settings from an environment. An empty value counts as not set. Either all is well, or every mistake is listed with its
 * setting's name and a right value.
 */
export function readConfig(env: Record<string, string | undefined>): ConfigResult {
  const given: Given = {};
  for (const name of settingNames) {
    const text = env[name]?.trim();
    if (text) given[name] = text;
  }
  const mistakes: string[] = [];
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
    warnings: [...unknownSettings(env), ...missingProxies(given)],
  };
}

function readSetting(name: string, setting: Declaration, text: string, mistakes: string[]) {
  const parsed = v.safeParse(setting.schema, text);
  const fault =
    text.length > settingMaxLength
      ? `must be at most ${settingMaxLength} characters`
      : parsed.issues?.[0].message;
  if (fault === undefined) return parsed.output;
  const example = setting.example ?? setting.default;
  // A pasted address can carry a sign-in even where none belongs.
  const shown =
    !setting.secret && !text.includes("@") ? ` It is ${JSON.stringify(text.slice(0, 80))}.` : "";
  mistakes.push(`${name} ${fault}${example ? `, for example ${example}` : ""}.${shown}`);
  return null;
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The settings, and those that go together as one value. */
function configOf(values: Values): Config {
  const { schedulingAssetHost: assetHost, schedulingUrl, schedulingContactUrl } = values;
  const { dkimDomain: domain, dkimSelector: selector, dkimKeyFile: keyFile } = values;
  const { backendUrl, backendAnonKey: anonKey } = values;
  const { analyticsTag: kind, analyticsId: id, analyticsHost } = values;
  const contactUrl = schedulingContactUrl ?? schedulingUrl;
  return {
    ...values,
    scheduling:
      assetHost && schedulingUrl && contactUrl
        ? { assetHost, url: schedulingUrl, contactUrl }
        : null,
    dkim: domain && selector && keyFile ? { domain, selector, keyFile } : null,
    hostedBackend: backendUrl && anonKey ? { url: backendUrl, anonKey } : null,
    analytics: kind && id ? { kind, id, host: analyticsHost ?? analyticsHosts[kind] } : null,
  };
}

const analyticsHosts: Record<AnalyticsTag["kind"], string> = {
  plausible: "https://plausible.io",
  umami: "https://cloud.umami.is",
  ga4: "https://www.googletagmanager.com",
};

/** Where a link to the booking page leads while no provider is set: the card on the contact page. */
const standInPath = "/contact#discovery-call";

/** The public facts that pages show. `port` is the one really taken, for an address where none is set. */
export function siteSettings(config: Config, port: number = config.port): SiteSettings {
  const address = config.siteUrl ?? `http://localhost:${port}`;
  const standIn = `${address}${standInPath}`;
  return {
    url: address,
    name: config.siteName,
    email: config.siteEmail,
    phone: config.sitePhone,
    street: config.siteStreet,
    postalCode: config.sitePostalCode,
    profileUrl: config.siteProfileUrl,
    scheduling: config.scheduling ?? { assetHost: "", url: standIn, contactUrl: standIn },
    hostedBackend: config.hostedBackend && {
      ...config.hostedBackend,
      webhookUrl: config.newsletterWebhookUrl,
    },
    ...(config.analytics && { analytics: config.analytics }),
  };
}

// ─── Mistakes and warnings about several settings ───

/** What is wrong with settings that are each right by themselves. */
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
  requireTogether(["BACKEND_URL", "BACKEND_ANON_KEY"]);
  requireTogether(["SCHEDULING_URL", "SCHEDULING_ASSET_HOST"]);
  requireTogether(["SCHEDULING_CONTACT_URL"], ["SCHEDULING_URL"]);
  requireTogether(["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"]);
  requireTogether(["ANALYTICS_TAG", "ANALYTICS_ID"]);
  requireTogether(["ANALYTICS_HOST"], ["ANALYTICS_TAG"]);
  if (given.ANALYTICS_TAG === "ga4" && given.ANALYTICS_HOST)
    mistakes.add("ANALYTICS_HOST must not be set for ga4, whose script comes from Google.");
  const metricsPort = Number(given.METRICS_ADDRESS?.split(":").at(-1));
  if (metricsPort && metricsPort === Number(given.PORT ?? server.PORT.default))
    mistakes.add(
      `METRICS_ADDRESS must have another port than PORT, since visitors must not reach it, for example ${server.METRICS_ADDRESS.example}.`,
    );
  if (given.BACKEND_ANON_KEY && isSecretKey(given.BACKEND_ANON_KEY))
    mistakes.add(
      `BACKEND_ANON_KEY is the project's secret key, which every visitor could read; it must be the public one, for example ${data.BACKEND_ANON_KEY.example}.`,
    );
  return [...mistakes];
}

/** Whether a hosted project's key opens everything: `sb_secret_…`, or a token whose role is `service_role`. */
function isSecretKey(key: string): boolean {
  const claims = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
  return key.startsWith("sb_secret_") || /"role"\s*:\s*"service_role"/.test(claims);
}

function unsetSettings(given: Given): UnsetSetting[] {
  // A hosted project sends its own mail and events, and only calls that are made can be signed.
  const idle: SettingName[] = [
    ...(given.BACKEND_URL
      ? (["SMTP_URL", "NEWSLETTER_WEBHOOK_URL", "WEBHOOK_SECRET"] as const)
      : []),
    ...(given.NEWSLETTER_WEBHOOK_URL ? [] : (["WEBHOOK_SECRET"] as const)),
  ];
  return settingNames.flatMap((setting) => {
    const { unset } = declarations[setting] as Declaration;
    const matters = unset && !given[setting] && !idle.includes(setting);
    return matters ? [{ setting, instead: unset }] : [];
  });
}

/** Names that begin like ours and are none of them: likely a slip. `LOG_` begins other programs' names too. */
function unknownSettings(env: Record<string, string | undefined>): string[] {
  const prefixOf = (name: string) => name.slice(0, name.indexOf("_") + 1);
  return Object.keys(env).flatMap((name) => {
    const prefix = prefixOf(name);
    const known: string[] = settingNames.filter((other) => prefixOf(other) === prefix);
    if (["", "LOG_"].includes(prefix) || known.length === 0 || known.includes(name)) return [];
    return [
      `${name} is not a setting, so it does nothing. Those that start so: ${known.join(", ")}.`,
    ];
  });
}

/** This server speaks no https itself, so an https address means that something in front of it does. */
function missingProxies({ SITE_URL, TRUSTED_PROXIES }: Given): string[] {
  if (!SITE_URL?.startsWith("https:") || TRUSTED_PROXIES) return [];
  return [
    "TRUSTED_PROXIES is not set while SITE_URL is https: all visitors count as one for the limits, and the proxy's " +
      "address is kept as the proof of consent. Set it to the proxy's address, for example 127.0.0.1.",
  ];
}

// ─── Kinds of settings ───

/** A fact that pages show, with a reserved value that reaches nobody until the operator sets it. */
function exampleFact(value: string) {
  return { default: value, unset: `${value} is shown` };
}

/** Reads the operator's text; null where it is none of `what`. */
function read<Value>(
  what: string,
  readText: (text: string) => Value | null,
): v.GenericSchema<string, Value> {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const value = readText(dataset.value);
      if (value !== null) return value;
      addIssue({ message: `must be ${what}` });
      return NEVER;
    }),
  );
}

function matching(pattern: RegExp, what: string) {
  return read(what, (text) => (pattern.test(text) ? text : null));
}

/** One line of words as pages show them, without markup. */
function words() {
  return matching(/^[^\p{Cc}<>]{1,200}$/u, "one line of at most 200 characters, without < and >");
}

function oneOf<const Word extends string>(...allowed: Word[]) {
  return read(
    `one of ${allowed.join(", ")}`,
    (text) => allowed.find((word) => word === text) ?? null,
  );
}

function wholeNumber(min: number, max: number) {
  return read(`a whole number from ${min} to ${max}`, (text) =>
    /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null,
  );
}

/** A path; a relative one starts in the project's folder. */
function file(what = "a file") {
  return read(what, (text) => (text.includes("\0") ? null : path.resolve(projectRoot, text)));
}

function email() {
  return read("an email address", (text) => (isPlainEmail(text) ? text : null));
}

/** An address that can be put into a header as it is. */
function isPlainEmail(text: string): boolean {
  return v.is(emailAddress("Address"), text) && !/[<>",;\s]/.test(text);
}

function webAddress() {
  return url(["http:", "https:"], "an http or https address");
}

/** An address with a host, by one of the protocols, each written with its colon: `smtp:`. */
function url(protocols: string[], what: string) {
  return read(what, (text) => {
    const { protocol = "", hostname } = URL.parse(text) ?? {};
    return protocols.includes(protocol) && hostname ? text : null;
  });
}

/** An http or https address with no path, query, fragment or sign-in; a trailing slash is accepted. */
function origin(what: string) {
  return read(what, (text) => {
    const { protocol, href, origin: start } = URL.parse(text) ?? { protocol: "" };
    const isOrigin = /^https?:$/.test(protocol) && href === `${start}/` && !/[?#]/.test(text);
    return isOrigin && start ? start : null;
  });
}

/** 24 to 64 bytes in base64 (Standard Webhooks specification, "Signature scheme"), `whsec_` before them or not. */
function webhookSecret() {
  const command = `node -p '"whsec_" + crypto.randomBytes(32).toString("base64")'`;
  return read(`whsec_ and then 24 to 64 bytes in base64, as this prints: ${command}`, (text) => {
    const encoded = text.replace(/^whsec_/, "");
    // The same strict base64, with padding, that the standardwebhooks package decodes.
    const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0;
    const bytes = Buffer.from(encoded, "base64").byteLength;
    return isBase64 && bytes >= 24 && bytes <= 64 ? text : null;
  });
}

/** The sign-in, and the address that bounces are sent to: the user, or the one given after it. */
function readBounceMailbox(text: string): { url: string; address: string } | null {
  const parsed = URL.parse(text);
  if (!parsed || !["imaps:", "imap:"].includes(parsed.protocol)) return null;
  if (!parsed.hostname || !parsed.username || !parsed.password) return null;
  try {
    const address = parsed.searchParams.get("address") ?? decodeURIComponent(parsed.username);
    return isPlainEmail(address) ? { url: parsed.href, address } : null;
  } catch {
    return null;
  }
}

/** `host:port`; an IPv6 address in brackets. */
function readListenAddress(text: string): { host: string; port: number } | null {
  const [, ip6, name, port] = /^(?:\[(.+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = name ?? (ip6 !== undefined && isIP(ip6) === 6 ? ip6 : null);
  return host !== null && Number(port) <= 65_535 ? { host, port: Number(port) } : null;
}

/** An IPv4 or IPv6 address, or a CIDR range of either. */
function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
