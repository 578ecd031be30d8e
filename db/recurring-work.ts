import { setTimeout as delay } from "node:timers/promises";

/** Work that is repeated for as long as the server runs. */
export type RecurringWork = {
  start(): void;
  /** Resolves when the work is no longer under way. */
  stop(): Promise<void>;
};

/**
 * Does the work at the start, and again after the number of milliseconds that it returned. It must never reject, and must
 * end early when the signal aborts.
 */
export function createRecurringWork(work: (stopping: AbortSignal) => Promise<number>) {
  const stopping = new AbortController();
  let waking = new AbortController();
  let running = Promise.resolve();

  async function repeat() {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      const nextInMs = await work(stopping.signal);
      const { signal } = waking;
      await delay(nextInMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    start() {
      running = repeat();
    },
    /** Does it at once, or once more after the work under way. */
    wake: () => waking.abort(),
    async stop() {
      stopping.abort();
      waking.abort();
      await running;
    },
  };
}
