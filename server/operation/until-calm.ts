import { setTimeout as delay } from "node:timers/promises";

const lookMs = 20;
/** A process that gets its turn this late shares the processors with many that want them just as much. */
const lateMs = 40;
const giveUpMs = 10_000;

/**
 * Waits until this process gets a processor when it wants one, for ten seconds at most: right after a start, above all
 * beside other starts, it doesn't, and a connection that has answered in time would be given up as late, since nobody
 * looked.
 */
export async function untilCalm(signal: AbortSignal): Promise<void> {
  const beganAt = performance.now();
  for (;;) {
    const lookedAt = performance.now();
    await delay(lookMs, undefined, { signal }).catch(() => {});
    const now = performance.now();
    if (signal.aborted || now - lookedAt - lookMs < lateMs || now - beganAt > giveUpMs) return;
  }
}
