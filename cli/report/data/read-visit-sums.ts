import type { Kysely } from "kysely";
import type { Database, VisitKind } from "#db/tables.ts";

/** First and last day, `YYYY-MM-DD` in Toronto. */
export type DaySpan = { firstDay: string; lastDay: string };

export type NamedVisits = { name: string; visits: number };

/** Visits of pages and issues by day; days without any are left out. */
export async function readDailyVisits(
  db: Kysely<Database>,
  { firstDay, lastDay }: DaySpan,
): Promise<{ day: string; visits: number }[]> {
  const rows = await db
    .selectFrom("daily_visits")
    .select(["day", (select) => select.fn.sum<number | string>("visits").as("visits")])
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .where("kind", "in", ["page", "issue"])
    .groupBy("day")
    .orderBy("day")
    .execute();
  return rows.map(({ day, visits }) => ({ day, visits: Number(visits) }));
}

/** The names of a kind with most visits, the most first. */
export async function readTopVisits(
  db: Kysely<Database>,
  kind: VisitKind,
  { firstDay, lastDay }: DaySpan,
  limit: number,
): Promise<NamedVisits[]> {
  const rows = await db
    .selectFrom("daily_visits")
    .select(["name", (select) => select.fn.sum<number | string>("visits").as("sum")])
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .where("kind", "=", kind)
    .groupBy("name")
    .orderBy("sum", "desc")
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name, sum }) => ({ name, visits: Number(sum) }));
}
