import type { Counted, Counter } from "./counter.ts";
import type { Limit } from "./submission-limits.ts";

/** About 15 MB. Past it the oldest windows are forgotten, which refuses nobody. */
const defaultMaxKeys = 100_000;

type Window = { count: number; endsAtMs: number };

/** Counts in this process's memory, of which a flood of new keys takes no more than its share. */
export function createMemoryCounter(
  { count: limit, windowSeconds }: NonNullable<Limit>,
  { maxKeys = defaultMaxKeys, now = () => performance.now() } = {},
): Counter {
  // All windows are of one length, so that the order of their beginnings is that of their ends.
  const windows = new Map<string, Window>();

  function current(key: string): Window | undefined {
    const window = windows.get(key);
    if (!window || window.endsAtMs > now()) return window;
    windows.delete(key);
    return undefined;
  }

  function begin(key: string): Window {
    for (const [oldest, { endsAtMs }] of windows) {
      if (endsAtMs > now() && windows.size < maxKeys) break;
      windows.delete(oldest);
    }
    const window = { count: 0, endsAtMs: now() + windowSeconds * 1000 };
    windows.set(key, window);
    return window;
  }

  return {
    async count(key): Promise<Counted> {
      const window = current(key) ?? begin(key);
      const nth = window.count + 1;
      const ok = nth <= limit;
      if (ok) window.count = nth;
      return {
        ok,
        nth,
        windowEndsInSeconds: Math.max(1, Math.ceil((window.endsAtMs - now()) / 1000)),
      };
    },
    async undo(key) {
      const window = current(key);
      if (window && window.count > 0) window.count -= 1;
    },
  };
}
