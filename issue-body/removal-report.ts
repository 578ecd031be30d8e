/** One kind of thing that was taken out of an issue's body, in words for the operator, and how many times. */
export type RemovedItem = { what: string; count: number };

/** Counts what is taken out of one body while it is prepared. */
export type RemovalReport = { add(what: string, count?: number): void; items(): RemovedItem[] };

/** Longest description of a removed thing, in characters: a body must not be able to flood the operator's terminal. */
const maxWhatLength = 80;
/** Most kinds of things reported for one body; the rest is summed up in a last line. */
const maxKinds = 60;

/** An empty report. Items come out with style properties last, since those matter least. */
export function startRemovalReport(): RemovalReport {
  const counts = new Map<string, number>();
  return {
    add(what, count = 1) {
      const printable = what.replace(/[^\x20-\x7e]/g, "?").slice(0, maxWhatLength);
      const key = counts.has(printable) || counts.size < maxKinds ? printable : "something else";
      counts.set(key, (counts.get(key) ?? 0) + count);
    },
    items() {
      const items = Array.from(counts, ([what, count]) => ({ what, count }));
      return items.sort((a, b) => Number(isStyle(a)) - Number(isStyle(b)));
    },
  };
}

function isStyle(item: RemovedItem): boolean {
  return item.what.startsWith("style property");
}
