import { setImmediate as nextRound } from "node:timers/promises";

/** Rounds of the event loop for which what is asked for gathers: each reads what has arrived and lets one more visitor in. */
const gatheringRounds = 4;

export type GatheringLimits = {
  /** Most that are carried out in one go, so that a flood lets other work in between. */
  maxItems: number;
  /** Goes under way at once; what is asked for meanwhile gathers for the next. */
  atOnce?: number;
  /** Ends when a go is to begin; without it, a go gathers for some rounds of the event loop. */
  gather?: () => Promise<void>;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Carries out in one go what is asked for at the same time, so that many callers share its cost. `run` answers each item
 * in its place; where it rejects, everybody of that go is told so. A go takes those that asked first, of which none has
 * the key of another: two with one key go one after the other.
 */
export function createGathering<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  {
    maxItems,
    atOnce = 1,
    gather = forSomeRounds,
    keyOf = () => null,
  }: GatheringLimits & { keyOf?: (item: Item) => string | null },
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const keysUnderWay = new Set<string>();
  let goes = 0;

  async function go() {
    await gather();
    const { taken, keys } = take();
    try {
      if (taken.length > 0) await carryOut(taken);
    } finally {
      for (const key of keys) keysUnderWay.delete(key);
      goes -= 1;
      begin();
    }
  }

  function begin() {
    if (goes >= atOnce || !waiting.some(mayGo)) return;
    goes += 1;
    void go();
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

async function forSomeRounds(): Promise<void> {
  for (let round = 0; round < gatheringRounds; round += 1) await nextRound();
}
