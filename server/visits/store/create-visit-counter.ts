import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { nextTorontoMidnight, torontoDay } from "#content/toronto-time.ts";
import type { CountEvent } from "#contracts/visits.ts";
import type { Database, VisitKind } from "#db/tables.ts";
import { saveVisits } from "./save-visits.ts";
import { createVisitSums } from "./visit-sums.ts";

/** How much a server that dies takes with it. */
const saveEveryMs = 15_000;

export type VisitCounter = {
  /** An addition in memory; never waits and never fails. */
  count(kind: Exclude<VisitKind, "event">, name: string): void;
  countEvent: CountEvent;
  start(): void;
  /** Saves what has been counted; a failure is logged, and what could not be saved is kept for the next time. */
  save(): Promise<void>;
  /** Saves for the last time. */
  stop(): Promise<void>;
};

/** Counts visits in memory and adds them to the day's sums in the database every quarter of a minute. */
export function createVisitCounter({
  db,
  log,
  onCount,
  now = Date.now,
}: {
  db: Kysely<Database>;
  log: Logger;
  /** Told of each one, for the metrics of this server. */
  onCount?: (kind: VisitKind, name: string) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}): VisitCounter {
  const sums = createVisitSums();
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();
  let hasFailed = false;
  let day = "";
  let dayEndsAt = 0;

  function today(): string {
    const time = now();
    // The clock may have been set back, too.
    if (time >= dayEndsAt || time < dayEndsAt - 2 * 86_400_000) {
      day = torontoDay(time).toString();
      dayEndsAt = nextTorontoMidnight(time);
    }
    return day;
  }

  async function saveOnce() {
    const days = sums.take();
    if (days.size === 0) return;
    try {
      await saveVisits(db, days);
      hasFailed = false;
    } catch (err) {
      for (const [on, kinds] of days) {
        for (const [kind, counted] of kinds) {
          for (const [name, visits] of counted) sums.add(on, kind, name, visits);
        }
      }
      // Once for each time that the database is away.
      if (!hasFailed)
        log.warn({ err }, "Visits could not be saved; they are kept for the next try");
      hasFailed = true;
    }
  }

  function save(): Promise<void> {
    saving = saving.then(saveOnce);
    return saving;
  }

  function count(kind: VisitKind, name: string) {
    sums.add(today(), kind, name);
    onCount?.(kind, name);
  }

  return {
    count,
    countEvent: (event) => count("event", event),
    start() {
      timer = setInterval(save, saveEveryMs);
      timer.unref();
    },
    save,
    async stop() {
      clearInterval(timer);
      await save();
    },
  };
}
