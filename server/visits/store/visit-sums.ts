import type { VisitKind } from "#db/tables.ts";

/** The sum of what has no sum of its own any more that day. */
export const otherNames = "(others)";

/** The visits from outside that say nothing of where they come from. */
export const noReferrer = "(none)";

/**
 * Most sums that a day has of each kind, so that a stranger who makes names up fills nothing. Pages and events are bounded
 * by what there is of them.
 */
export const dailyNamesMax: Record<VisitKind, number> = {
  page: 100,
  issue: 200,
  referrer: 100,
  campaign: 50,
  event: 10,
};

/** Days of which sums wait at most while the database can't be written to. */
const waitingDaysMax = 7;

/** A day in Toronto, `YYYY-MM-DD`, with its sums by kind and name. */
export type DaySums = Map<VisitKind, Map<string, number>>;

/** Sums in memory, bounded like those in the database. */
type VisitSums = {
  add(day: string, kind: VisitKind, name: string, count?: number): void;
  /** Gives what has been added since the last time. */
  take(): Map<string, DaySums>;
};

export function createVisitSums(): VisitSums {
  let days = new Map<string, DaySums>();

  function sumsOf(day: string, kind: VisitKind): Map<string, number> {
    let sums = days.get(day);
    if (!sums) {
      sums = new Map();
      days.set(day, sums);
      const [oldest = day] = [...days.keys()].sort();
      if (days.size > waitingDaysMax) days.delete(oldest);
    }
    let ofKind = sums.get(kind);
    if (!ofKind) {
      ofKind = new Map();
      sums.set(kind, ofKind);
    }
    return ofKind;
  }

  return {
    add(day, kind, name, count = 1) {
      const sums = sumsOf(day, kind);
      const known = sums.get(name);
      if (known !== undefined) {
        sums.set(name, known + count);
      } else {
        const kept = sums.size < dailyNamesMax[kind] ? name : otherNames;
        sums.set(kept, (sums.get(kept) ?? 0) + count);
      }
    },
    take() {
      const taken = days;
      days = new Map();
      return taken;
    },
  };
}
