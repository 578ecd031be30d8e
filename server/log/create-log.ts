import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "../settings.ts";
import { loggedError } from "./logged-error.ts";
import { secretsOf } from "./secrets-of.ts";

type LogOptions = {
  config: Config;
  /** Gets one JSON object a line; by default standard error, since standard output is for people. */
  destination?: DestinationStream;
};

/**
 * The server's log. What goes in is chosen with care where it is written; this is the second fence: errors lose
 * whatever another server or a visitor put into their words, and every text loses secrets, email addresses and the
 * tokens of mail links.
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

/** One at-sign between two words, also percent-encoded as in a path. A package's path such as `/@scope/name` is none. */
const emailAddress = /[^\s<>()[\]"'`,;:/\\?&=@]+(?:@|%40)[^\s<>()[\]"'`,;:/\\?&=@]+/gi;

/** The form of a subscriber's token: 32 bytes in base64url. */
const mailLinkToken = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Gives a function that takes secrets, email addresses and mail-link tokens out of a text. */
function createScrubber(secrets: string[]): Scrub {
  // The longest first: a secret can contain another.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return (text) => {
    let scrubbed = text;
    for (const secret of longestFirst) scrubbed = scrubbed.replaceAll(secret, "[secret]");
    return scrubbed.replace(emailAddress, "[address]").replace(mailLinkToken, "[token]");
  };
}
