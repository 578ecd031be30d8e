import { createBatcher } from "./batcher.ts";

type PatientBatcherLimits = {
  maxItems: number;
  /** Longest that an item waits for others, in milliseconds; under one, it doesn't. */
  waitMs(): number;
  /** Whether so many are all that is worth waiting for. */
  isEnough(waiting: number): boolean;
};

/** A batcher whose items wait for others: until there are enough, or for as long as they may. */
export function createPatientBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxItems, waitMs, isEnough }: PatientBatcherLimits,
): (item: Item) => Promise<Result> {
  /** Asked for and not carried out yet. */
  let waiting = 0;
  let goNow = () => {};

  async function collect() {
    const longestMs = waitMs();
    if (longestMs < 1 || isEnough(waiting)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    goNow = resolve;
    const timer = setTimeout(resolve, longestMs);
    await promise;
    clearTimeout(timer);
  }

  const batch = createBatcher(run, { maxItems, collect });

  return async (item) => {
    waiting += 1;
    if (isEnough(waiting)) goNow();
    try {
      return await batch(item);
    } finally {
      waiting -= 1;
    }
  };
}
