/** Work that a server does again and again for as long as it runs. */
export type RecurringWork = {
  start(): void;
  /** Resolves when the work is no longer under way. */
  stop(): Promise<void>;
};

/**
 * Does the work at the start, and again as many milliseconds after its end as it answers. The work rejects never, and
 * ends early where it is told to stop.
 */
export function createRecurringWork(
  work: (stopping: AbortSignal) => Promise<number>,
): RecurringWork {
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
