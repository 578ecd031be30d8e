import { setTimeout as delay } from "node:timers/promises";

/**
 * Longest that somebody who is refused waits to hear it; at least half as long, so that those who were refused together
 * don't ask again together.
 */
const longestMs = 1_000;

/**
 * Milliseconds before a refusal is said. Said at once, it is asked for again at once, thousands of times a second by a
 * hundred connections, each answered before whoever waits for something dear; while it waits, its connection asks for
 * nothing more, and costs a timer.
 */
export function refusalPauseMs(): number {
  return longestMs * (1 - Math.random() / 2);
}

/** Waits so long, or until whoever is refused has left. */
export async function pauseBeforeRefusal(signal: AbortSignal): Promise<void> {
  await delay(refusalPauseMs(), undefined, { signal }).catch(() => {});
}
