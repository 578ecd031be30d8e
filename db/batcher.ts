import { setImmediate as nextRound } from "node:timers/promises";

/**
 * Rounds of the event loop for which what is asked for is collected: each reads what has arrived and lets one more
 * visitor in, so that after a single one a burst of visitors would wait for a batch each.
 */
const collectingRounds = 4;

type BatcherLimits = {
  /** Longest batch, so that a flood lets other work in between. */
  maxItems: number;
  /** Batches under way at once; what is asked for meanwhile is collected for the next. */
  atOnce?: number;
  /** Ends when a batch is to begin; without it, one is collected for some rounds of the event loop. */
  collect?: () => Promise<void>;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Carries out in one batch what is asked for at the same time, so that many callers share its cost. `run` answers each
 * item in its place; where it rejects, everybody of that batch is told so. A batch takes those that asked first, of which
 * none has the key of another: two with one key go one after the other.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  {
    maxItems,
    atOnce = 1,
    collect = forSomeRounds,
    keyOf = () => null,
  }: BatcherLimits & { keyOf?: (item: Item) => string | null },
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const keysUnderWay = new Set<string>();
  let batches = 0;

  async function runBatch() {
    await collect();
    const { taken, keys } = take();
    try {
      if (taken.length > 0) await carryOut(taken);
    } finally {
      for (const key of keys) keysUnderWay.delete(key);
      batches -= 1;
      begin();
    }
  }

  function begin() {
    if (batches >= atOnce || !waiting.some(mayGo)) return;
    batches += 1;
    void runBatch();
  }

  function mayGo({ item }: Waiting<Item, Result>): boolean {
    const key = keyOf(item);
    return key === null || !keysUnderWay.has(key);
  }

  function take() {
    const taken: Waiting<Item, Result>[] = [];
    const keys: string[] = [];
    const left: Waiting<Item, Result>[] = [];
    for (const entry of waiting) {
      if (taken.length >= maxItems || !mayGo(entry)) {
        left.push(entry);
        continue;
      }
      taken.push(entry);
      const key = keyOf(entry.item);
      if (key === null) continue;
      keys.push(key);
      keysUnderWay.add(key);
    }
    waiting = left;
    return { taken, keys };
  }

  async function carryOut(taken: readonly Waiting<Item, Result>[]) {
    try {
      const results = await run(taken.map(({ item }) => item));
      for (const [index, { resolve }] of taken.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  return async (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    begin();
    return await promise;
  };
}

export async function forSomeRounds(): Promise<void> {
  for (let round = 0; round < collectingRounds; round += 1) await nextRound();
}
