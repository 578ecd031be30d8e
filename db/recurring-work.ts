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
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function workAndWait() {
    const nextInMs = await work(stopping.signal);
    if (!stopping.signal.aborted) timer = setTimeout(start, nextInMs).unref();
  }

  function start() {
    running = workAndWait();
  }

  return {
    start,
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
