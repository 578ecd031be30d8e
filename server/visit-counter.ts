import { type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { torontoDay } from "#content/toronto-time.ts";
import type { CountEvent } from "#contracts/ports.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database, VisitKind } from "#db/tables.ts";

/** How much a server that dies takes with it. */
const saveEveryMs = 15_000;

/** The sum of what has no sum of its own any more that day. */
export const otherNames = "(others)";

/** The visits from outside that don't say where they come from. */
export const noReferrer = "(none)";

/**
 * Most sums that a day has of each kind, so that a stranger who makes names up fills nothing. There are only so many pages
 * and events.
 */
export const dailyNamesMax: Record<VisitKind, number> = {
  page: 100,
  issue: 200,
  referrer: 100,
  campaign: 50,
  event: 10,
};

/** Days whose sums wait at most while the database can't be written to. */
const waitingDaysMax = 7;

/** Held while sums are added on PostgreSQL, so that two instances don't each add a day's last name. */
const savingLock = 7_242_031;

export type VisitCounter = {
  /** An addition in memory; never waits and never fails. */
  count(kind: Exclude<VisitKind, "event">, name: string): void;
  countEvent: CountEvent;
  start(): void;
  /** Saves what has been counted; what could not be saved is kept for the next time. */
  save(): Promise<void>;
  /** Saves for the last time. */
  stop(): Promise<void>;
};

type Sum = { day: string; kind: VisitKind; name: string; visits: number };

/** Counts visits in memory and adds them to the day's sums in the database every quarter of a minute. */
export function createVisitCounter({
  db,
  log,
  onCount,
  now = Date.now,
}: {
  db: Kysely<Database>;
  log: Logger;
  /** Called with each one, for the metrics of this instance. */
  onCount?: (kind: VisitKind, name: string) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}): VisitCounter {
  /** By day, kind and name. */
  let sums = new Map<string, Sum>();
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();
  let hasFailed = false;

  function add(sum: Sum) {
    const ofKind = () =>
      sums.values().filter(({ day, kind }) => day === sum.day && kind === sum.kind);
    const isOneTooMany = !sums.has(keyOf(sum)) && [...ofKind()].length >= dailyNamesMax[sum.kind];
    const added = isOneTooMany ? { ...sum, name: otherNames } : sum;
    const visits = (sums.get(keyOf(added))?.visits ?? 0) + added.visits;
    sums.set(keyOf(added), { ...added, visits });
  }

  async function saveOnce() {
    if (sums.size === 0) return;
    const taken = [...sums.values()];
    sums = new Map();
    try {
      await addToStored(db, taken);
      hasFailed = false;
    } catch (err) {
      const days = [...new Set(taken.map(({ day }) => day))].sort().slice(-waitingDaysMax);
      for (const sum of taken) if (days.includes(sum.day)) add(sum);
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
    add({ day: torontoDay(now()).toString(), kind, name, visits: 1 });
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

function keyOf({ day, kind, name }: Sum): string {
  return `${day} ${kind} ${name}`;
}

/** Adds to the sums in the database, which instances share. A day's names are bounded there too. */
async function addToStored(db: Kysely<Database>, sums: Sum[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${savingLock})`.execute(trx);
    const bounded = new Map<string, Sum>();
    for (const sum of await withinBounds(trx, sums)) {
      const known = bounded.get(keyOf(sum));
      if (known) known.visits += sum.visits;
      else bounded.set(keyOf(sum), sum);
    }
    await trx
      .insertInto("daily_visits")
      .values([...bounded.values()])
      .onConflict((conflict) =>
        conflict
          .columns(["day", "kind", "name"])
          .doUpdateSet({ visits: sql`daily_visits.visits + excluded.visits` }),
      )
      .execute();
  });
}

/** What is new beyond a day's bound is counted among the others. */
async function withinBounds(trx: Transaction<Database>, sums: Sum[]): Promise<Sum[]> {
  const days = [...new Set(sums.map(({ day }) => day))];
  const stored = await trx
    .selectFrom("daily_visits")
    .select(["day", "kind", "name"])
    .where("day", "in", days)
    .execute();
  const names = new Set(stored.map((row) => `${row.day} ${row.kind} ${row.name}`));
  const counts = new Map<string, number>();
  for (const { day, kind } of stored) counts.set(day + kind, (counts.get(day + kind) ?? 0) + 1);
  return sums.map((sum) => {
    if (names.has(keyOf(sum))) return { ...sum };
    const count = counts.get(sum.day + sum.kind) ?? 0;
    if (count >= dailyNamesMax[sum.kind]) return { ...sum, name: otherNames };
    counts.set(sum.day + sum.kind, count + 1);
    return { ...sum };
  });
}
