import { defaultBackoff, defaultRefusalBackoff } from "./backoff.ts";
import { defaultMailPaces, type MailPace } from "./mail-paces.ts";
import type { OutboxKind } from "./payloads.ts";
import type { Retries } from "./settle.ts";

/** The times and bounds that the worker keeps to. Milliseconds. */
export type OutboxLimits = {
  /** How often the outbox is looked at when nobody wakes the worker. */
  pollMs: number;
  /** Rest between looks while there is work, so that a storm of sign-ups is answered before it is mailed. */
  restMs: number;
  /** Longest time between looks while the database can't be reached. */
  outagePollMs: number;
  /** An attempt is given up after this long. */
  deliveryTimeoutMs: number;
  /** Longer than any attempt, so that only a dead process loses its lease. */
  leaseMs: number;
  /** Deliveries under way at once, of each kind: a dead mail server holds up mail and nothing else. */
  concurrencyPerKind: number;
  /** Most deliveries of a kind that are claimed in one go, while they are carried out as fast as that. */
  batchMaxPerKind: number;
  /** While more than so many submissions a second come in, it's a storm: deliveries are not claimed ahead. */
  stormPerSecond: number;
  /** Deliveries under way at once in a storm, of each kind: composing a mail takes as long as taking several sign-ups. */
  stormConcurrencyPerKind: number;
  /** How often it is looked for times that only a clock set back explains. */
  clockCheckMs: number;
  paces: Partial<Record<OutboxKind, MailPace>>;
} & Retries;

export const defaultOutboxLimits: OutboxLimits = {
  pollMs: 1000,
  restMs: 50,
  outagePollMs: 30_000,
  deliveryTimeoutMs: 60_000,
  leaseMs: 120_000,
  concurrencyPerKind: 4,
  batchMaxPerKind: 200,
  stormPerSecond: 50,
  stormConcurrencyPerKind: 2,
  clockCheckMs: 60_000,
  paces: defaultMailPaces,
  backoff: defaultBackoff,
  refusalBackoff: defaultRefusalBackoff,
};
