export type Backoff = {
  /** Ceiling of the wait after the first failed attempt, in milliseconds. */
  baseMs: number;
  /** What each further ceiling is a multiple of. */
  factor: number;
  /** No wait is longer. */
  capMs: number;
  /** Which part of the ceiling is left to chance, from 0 to 1, so that what failed together doesn't come back together. */
  jitter: number;
  /** After this many failed attempts the delivery is given up. */
  maxAttempts: number;
};

const hourMs = 60 * 60 * 1000;

/**
 * Where the receiver can't be reached or asks for patience: ten seconds, doubling up to six hours. With half of each
 * ceiling waited on average, 23 attempts span a day and a half.
 */
export const defaultBackoff: Backoff = {
  baseMs: 10_000,
  factor: 2,
  capMs: 6 * hourMs,
  jitter: 1,
  maxAttempts: 23,
};

/**
 * Where the receiver has answered that it won't take it. Most such answers stay the same, and senders who go on asking
 * lose their good name; some are mended within the day, as a full mailbox is. Ceilings of 1, 3, 9 and 18 hours, of which
 * at least half is waited: five attempts over a day on average.
 */
export const defaultRefusalBackoff: Backoff = {
  baseMs: hourMs,
  factor: 3,
  capMs: 18 * hourMs,
  jitter: 0.5,
  maxAttempts: 5,
};

/** How long to wait after failed attempt number `attempts` (from 1), in milliseconds. */
export function backoffDelayMs(
  attempts: number,
  { baseMs, factor, capMs, jitter }: Backoff,
  random: () => number = Math.random,
): number {
  const ceilingMs = Math.min(capMs, baseMs * factor ** (attempts - 1));
  return Math.round(ceilingMs * (1 - jitter + jitter * random()));
}
