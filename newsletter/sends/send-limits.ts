import { newsletterAnswerTimeoutMs } from "#mail/create-mailer.ts";
import type { Backoff } from "#mail/outbox.ts";
import type { DomainBackoffLimits } from "./domain-backoff.ts";

/** The times and bounds that sending keeps to. Milliseconds. */
export type SendLimits = {
  mailsPerSecond: number;
  /** Mails under way at once, each on a connection of its own that is kept. */
  connections: number;
  /** How often it is looked for a send that is due, resumed or has come to its end. */
  pollMs: number;
  /** The longest back-off while the mail server or the database can't be reached; it begins at `pollMs` and doubles. */
  outageBackoffMaxMs: number;
  /** A hand-over is given up after this long. */
  deliveryTimeoutMs: number;
  /** Longer than any hand-over, so that only a dead process loses what it has in hand. */
  leaseMs: number;
  /** Whoever waits in hand for longer is looked at again before the mail goes: they may have left meanwhile. */
  inHandMaxMs: number;
  /** A mail that was put off is tried again so often, so far apart. */
  backoff: Backoff;
  domainBackoff: DomainBackoffLimits;
  /** How often it is looked for times that only a clock set back explains. */
  clockCheckMs: number;
  /** So many refusals in a row that speak of us and not of a reader pause the send. */
  refusalsBeforePause: number;
};

const minuteMs = 60_000;

export const defaultSendLimits: SendLimits = {
  mailsPerSecond: 5,
  connections: 3,
  pollMs: 1_000,
  outageBackoffMaxMs: minuteMs,
  deliveryTimeoutMs: newsletterAnswerTimeoutMs + minuteMs,
  leaseMs: newsletterAnswerTimeoutMs + 2 * minuteMs,
  inHandMaxMs: 1_000,
  // Of each wait at least half: 5, 10, 20 … minutes up to 4 hours, about a day and a half in all.
  backoff: {
    baseMs: 5 * minuteMs,
    factor: 2,
    capMs: 240 * minuteMs,
    jitter: 0.5,
    maxAttempts: 16,
  },
  domainBackoff: { baseMs: minuteMs, capMs: 30 * minuteMs },
  clockCheckMs: minuteMs,
  refusalsBeforePause: 10,
};
