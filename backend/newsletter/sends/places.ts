export type Places = ReturnType<typeof createPlaces>;

/** So many pieces of work at once; the others wait for a place, first come first served. */
export function createPlaces(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  async function inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
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
  return { inPlace, taken: () => count - free };
}
