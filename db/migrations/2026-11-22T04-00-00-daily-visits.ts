import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Visits in daily sums: of a day, one row a page, a referring host, a campaign, an event. Nothing of who came. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const number = onPostgres ? sql`bigint` : sql`integer`;
  await sql`create table daily_visits (
    day text not null,
    kind text not null,
    name text not null,
    visits ${number} not null,
    primary key (day, kind, name)
  ) ${onPostgres ? sql`` : sql`strict, without rowid`}`.execute(db);
}
