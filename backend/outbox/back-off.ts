export type BackOff = {
  /** Ceiling of the wait after the first failed attempt, in milliseconds. */
  baseMs: number;
  /** No wait is longer. */
  capMs: number;
  /** After this many failed attempts the delivery is given up. */
  maxAttempts: number;
};

/** Ten seconds, doubling up to six hours. With half of each ceiling waited on average, 23 attempts span a day and a half. */
export const defaultBackOff: BackOff = {
  baseMs: 10_000,
  capMs: 6 * 60 * 60 * 1000,
  maxAttempts: 23,
};

/**
 * How long to wait after failed attempt number `attempts` (from 1), in milliseconds: anything between nothing and an
 * exponential ceiling, so that deliveries that failed together don't come back together.
 */
export function backOffDelayMs(
  attempts: number,
  { baseMs, capMs }: BackOff,
  random: () => number = Math.random,
): number {
  const ceilingMs = Math.min(capMs, baseMs * 2 ** (attempts - 1));
  return Math.round(random() * ceilingMs);
}
