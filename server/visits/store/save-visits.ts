import { type Kysely, sql, type Transaction } from "kysely";
import { commitTogether } from "#db/commit-together.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database, VisitKind } from "#db/tables.ts";
import { type DaySums, dailyNamesMax, otherNames } from "./visit-sums.ts";

/** A lock of whoever adds to the sums on PostgreSQL, so that copies that come at once don't each add a last name. */
const savingLock = 7_242_031;

/**
 * Adds sums to those in the database, which several copies of the server share. A day's names are bounded there too:
 * beyond {@link dailyNamesMax} of a kind what is new is counted among the others.
 */
export async function saveVisits(
  db: Kysely<Database>,
  days: ReadonlyMap<string, DaySums>,
): Promise<void> {
  await commitTogether(db, async (trx) => {
    if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${savingLock})`.execute(trx);
    for (const [day, sums] of days) await saveDay(trx, day, sums);
  });
}

async function saveDay(trx: Transaction<Database>, day: string, sums: DaySums): Promise<void> {
  const stored = await trx
    .selectFrom("daily_visits")
    .select(["kind", "name"])
    .where("day", "=", day)
    .execute();
  const rows = [...sums].flatMap(([kind, counted]) => {
    const known = new Set(stored.filter((row) => row.kind === kind).map(({ name }) => name));
    return [...withinBounds(kind, known, counted)].map(([name, visits]) => ({
      day,
      kind,
      name,
      visits,
    }));
  });
  if (rows.length === 0) return;
  await trx
    .insertInto("daily_visits")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["day", "kind", "name"])
        .doUpdateSet({ visits: sql`daily_visits.visits + excluded.visits` }),
    )
    .execute();
}

function withinBounds(
  kind: VisitKind,
  known: Set<string>,
  counted: ReadonlyMap<string, number>,
): Map<string, number> {
  const bounded = new Map<string, number>();
  for (const [name, visits] of counted) {
    const hasRoom = known.has(name) || known.size < dailyNamesMax[kind];
    const kept = hasRoom ? name : otherNames;
    if (hasRoom) known.add(name);
    bounded.set(kept, (bounded.get(kept) ?? 0) + visits);
  }
  return bounded;
}
