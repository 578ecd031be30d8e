/** How much work was done for each asker lately, in milliseconds. Those of long ago count as none. */
type RecentWork = {
  add(asker: string, ms: number): void;
  of(asker: string): number;
};

/** After so long, half of it is forgotten. */
const defaultHalfLifeMs = 10_000;
/** An entry takes some 100 bytes. */
const defaultAskersMax = 20_000;

type Entry = { ms: number; at: number };

/** Remembers the askers of late, so many of them at most: the one who asked longest ago is forgotten first. */
export function rememberWork({
  halfLifeMs = defaultHalfLifeMs,
  askersMax = defaultAskersMax,
  now = () => performance.now(),
} = {}): RecentWork {
  const entries = new Map<string, Entry>();

  function of(asker: string): number {
    const entry = entries.get(asker);
    return entry ? entry.ms * 0.5 ** ((now() - entry.at) / halfLifeMs) : 0;
  }

  return {
    of,
    add(asker, ms) {
      const entry = { ms: of(asker) + ms, at: now() };
      entries.delete(asker);
      entries.set(asker, entry);
      if (entries.size <= askersMax) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
