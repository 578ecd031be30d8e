import querystring from "node:querystring";
import pino, { type DestinationStream, type Logger } from "pino";
import { causesOf } from "#db/describe-causes.ts";
import type { Config } from "#settings/settings.ts";

type LogOptions = {
  config: Config;
  /** By default standard error, since standard output is for people. */
  destination?: DestinationStream;
};

/** As a second safeguard, removes others' words from errors, and secrets, addresses and tokens from texts. */
export function createLog({ config, destination = pino.destination(2) }: LogOptions): Logger {
  return pino(
    {
      level: config.logLevel,
      serializers: { err: loggedError },
      hooks: {
        streamWrite(line) {
          // The owner may have changed the mail server since.
          const scrubbed = scrubValues(JSON.parse(line), createScrubber(secretsOf(config)));
          return `${JSON.stringify(scrubbed)}\n`;
        },
      },
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

/** Also percent-encoded. A path such as `/@scope/name` doesn't match. */
const emailAddress = /[^\s<>()[\]"'`,;:/\\?&=@]+(?:@|%40)[^\s<>()[\]"'`,;:/\\?&=@]+/gi;

/** 32 bytes in base64url. */
const mailLinkToken = /(?<![\w-])[\w-]{43}(?![\w-])/g;

function createScrubber(secrets: string[]): Scrub {
  // A secret can contain another.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return (text) => {
    let scrubbed = text;
    for (const secret of longestFirst) scrubbed = scrubbed.replaceAll(secret, "[secret]");
    return scrubbed.replace(emailAddress, "[address]").replace(mailLinkToken, "[token]");
  };
}

function secretsOf(config: Config): string[] {
  const { smtpUrl, databaseUrl, bounceMailbox, newsletterWebhookUrl } = config;
  const addresses = [smtpUrl, databaseUrl, bounceMailbox?.url, newsletterWebhookUrl].map((url) =>
    URL.parse(url ?? ""),
  );
  const passwords = addresses.flatMap((url) => [
    url?.password ?? "",
    querystring.unescape(url?.password ?? ""),
  ]);
  const keys = [config.webhookSecret, config.mailEventsSecret].flatMap((key) =>
    key ? [key, key.replace(/^whsec_/, "")] : [],
  );
  // A workflow's address is its secret. A short path such as `/hook` isn't, and occurs elsewhere.
  const { pathname = "", search = "" } = addresses[3] ?? {};
  const paths = [pathname + search, pathname].filter(({ length }) => length > 12);
  return [...passwords, ...keys, ...paths].filter((secret) => secret !== "");
}

/** These never hold a visitor's words. */
const facts =
  "code errcode errno syscall responseCode statusCode command severity schema table column constraint routine".split(
    " ",
  );

/** Omits quoted text, the words of mail servers and webhooks, and details such as `Failing row contains (…)`. */
function loggedError(error: unknown): object | undefined {
  if (!(error instanceof Error)) return { type: typeof error };
  const errors = causesOf(error).filter((one) => one instanceof Error);
  return errors.reduceRight<object | undefined>(
    (cause, one) => ({ ...withoutCause(one), cause }),
    undefined,
  );
}

function withoutCause(error: Error): object {
  const fields = error as Error & Record<string, unknown>;
  const isForeign = "response" in error || "responseCode" in error || "foreignWords" in error;
  const [reply] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(String(fields.response ?? "")) ?? [];
  const known = facts.filter((fact) => /^[\w .:-]{1,80}$/.test(String(fields[fact] ?? "")));
  return {
    type: error.name,
    message: isForeign ? undefined : withoutQuotes(error.message).slice(0, 300),
    ...Object.fromEntries(known.map((fact) => [fact, fields[fact]])),
    reply,
    frames: framesOf(error),
  };
}

/** A quotation can hold quotation marks. */
function withoutQuotes(message: string): string {
  return message
    .replace(/["“`].*["”`]/s, '"…"')
    .replace(/(?<!\w)'.*'(?!\w)/s, "'…'")
    .replace(/\s+/g, " ");
}

/** The first lines repeat the message. */
function framesOf(error: Error): string[] {
  const lines = (error.stack ?? "").split("\n");
  const frames = lines.filter((line) => /^\s+at .*(?::\d+:\d+\)?|\(native\))$/.test(line));
  return frames.slice(0, 12).map((line) => line.trim());
}
