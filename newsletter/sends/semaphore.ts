export type Semaphore = ReturnType<typeof createSemaphore>;

/** So many pieces of work at once; the others wait, first come first served. */
export function createSemaphore(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }
  return { run, inUse: () => count - free };
}
