import pino, { type DestinationStream, type Logger } from "pino";
import { causesOf } from "#db/describe-causes.ts";
import type { Config } from "./settings.ts";

type LogOptions = {
  config: Config;
  /** Receives one JSON object a line; by default standard error, since standard output is for people. */
  destination?: DestinationStream;
};

/**
 * The server's log. As a second safeguard, errors lose what another server or a visitor may have written into them, and
 * every text loses secrets, email addresses and the tokens of mail links.
 */
export function createLog({ config, destination = pino.destination(2) }: LogOptions): Logger {
  const scrub = createScrubber(secretsOf(config));
  return pino(
    {
      level: config.logLevel,
      serializers: { err: loggedError },
      hooks: { streamWrite: (line) => `${JSON.stringify(scrubValues(JSON.parse(line), scrub))}\n` },
    },
    destination,
  );
}

function scrubValues(value: unknown, scrub: Scrub): unknown {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map((item) => scrubValues(item, scrub));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, scrubValues(item, scrub)]),
  );
}

type Scrub = (text: string) => string;

/** One at-sign between two words, also percent-encoded. A package's path such as `/@scope/name` doesn't match. */
const emailAddress = /[^\s<>()[\]"'`,;:/\\?&=@]+(?:@|%40)[^\s<>()[\]"'`,;:/\\?&=@]+/gi;

/** The form of a subscriber's token: 32 bytes in base64url. */
const mailLinkToken = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Returns a function that removes secrets, email addresses and mail-link tokens from a text. */
function createScrubber(secrets: string[]): Scrub {
  // The longest first: a secret can contain another.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return (text) => {
    let scrubbed = text;
    for (const secret of longestFirst) scrubbed = scrubbed.replaceAll(secret, "[secret]");
    return scrubbed.replace(emailAddress, "[address]").replace(mailLinkToken, "[token]");
  };
}

/** Every secret in the settings, in each form in which a library may repeat it. */
function secretsOf(config: Config): string[] {
  const {
    smtpUrl,
    databaseUrl,
    newsletterWebhookUrl,
    webhookSecret,
    hostedBackend,
    bounceMailbox,
    mailEventsSecret,
  } = config;
  const forms = [
    ...signInOf(smtpUrl),
    ...signInOf(databaseUrl),
    ...signInOf(bounceMailbox?.url ?? null),
    ...signInOf(newsletterWebhookUrl),
    // Whoever knows a workflow's address can call it.
    ...pathOf(newsletterWebhookUrl),
    webhookSecret,
    webhookSecret?.replace(/^whsec_/, ""),
    mailEventsSecret,
    mailEventsSecret?.replace(/^whsec_/, ""),
    hostedBackend?.anonKey,
  ];
  return [...new Set(forms.filter((form): form is string => Boolean(form)))];
}

/** The password of a URL, encoded and decoded, and as SMTP sends it. */
function signInOf(address: string | null): string[] {
  const url = address === null ? null : URL.parse(address);
  if (!url || url.password === "") return [];
  const password = decoded(url.password);
  const user = decoded(url.username);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [
    url.password,
    password,
    encodeURIComponent(password),
    base64(password),
    base64(`\0${user}\0${password}`),
  ];
}

function pathOf(address: string | null): string[] {
  const url = address === null ? null : URL.parse(address);
  if (!url) return [];
  const target = url.pathname + url.search;
  return [target, url.pathname].filter((text) => text.length > shortestPath);
}

/** A path such as `/hook` is no secret, and appears in other texts. */
const shortestPath = 12;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Longest message of an error in the log, in characters. */
const messageMaxLength = 300;
const framesMax = 12;

/** Names and numbers that Node, pg and Nodemailer set; they never hold a visitor's words. */
const facts = [
  "code",
  "errcode",
  "errno",
  "syscall",
  "responseCode",
  "statusCode",
  "command",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
];
const factShape = /^[\w .:-]{1,80}$/;

type LoggedError = {
  type: string;
  /** Absent if the words are another server's. */
  message?: string;
  frames?: string[];
  cause?: LoggedError;
  [fact: string]: unknown;
};

/**
 * An error for the log. Quoted text is removed, since libraries quote their input. The words of a mail server or a webhook
 * are omitted, since they repeat addresses and subjects (`outbox list` shows them), and so are details such as
 * PostgreSQL's `Failing row contains (…)`.
 */
function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const errors = causesOf(error).filter((one) => one instanceof Error);
  const innermost = withoutCause(errors.pop() ?? error);
  return errors.reduceRight((cause, one) => ({ ...withoutCause(one), cause }), innermost);
}

function withoutCause(error: Error): LoggedError {
  const logged: LoggedError = { type: error.name };
  const message = messageOf(error);
  if (message) logged.message = message;
  const fields = error as Error & Record<string, unknown>;
  for (const fact of facts) {
    const value = fields[fact];
    if (typeof value === "number") logged[fact] = value;
    else if (typeof value === "string" && factShape.test(value)) logged[fact] = value;
  }
  const reply = typeof fields.response === "string" ? smtpReplyCode(fields.response) : null;
  if (reply) logged.reply = reply;
  const frames = framesOf(error);
  if (frames.length > 0) logged.frames = frames;
  return logged;
}

function messageOf(error: Error): string | null {
  const foreign = "response" in error || "responseCode" in error || "foreignWords" in error;
  if (foreign) return null;
  return withoutQuotes(error.message).slice(0, messageMaxLength);
}

/** From the first quotation mark to the last, since a quotation can hold quotation marks. */
function withoutQuotes(message: string): string {
  return message
    .replace(/["“`].*["”`]/s, '"…"')
    .replace(/(?<!\w)'.*'(?!\w)/s, "'…'")
    .replace(/\s+/g, " ");
}

/** `550 5.1.1` of a mail server's answer. */
function smtpReplyCode(response: string): string | null {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? null;
}

/** The stack without its first lines, which repeat the message. */
function framesOf(error: Error): string[] {
  return (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at .*(?::\d+:\d+\)?|\(native\))$/.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim());
}
