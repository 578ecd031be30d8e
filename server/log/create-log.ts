import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "../config.ts";
import { loggedError } from "./logged-error.ts";
import { createScrubber, type Scrub } from "./scrub.ts";
import { secretsOf } from "./secrets-of.ts";

export type LogOptions = {
  config: Config;
  /** Gets one JSON object a line; by default standard error, since standard output is for people. */
  destination?: DestinationStream;
};

/**
 * The server's log. What goes in is chosen with care where it is written; this is the second fence: errors lose
 * whatever another server or a visitor put into their words, and every text loses secrets, e-mail addresses and the
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
