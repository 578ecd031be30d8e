import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Whoever had left and is removed altogether must not come back by an import; a hash is enough for that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await sql`create table departures (
    address_hash text primary key,
    left_at text not null
  ) ${onPostgres ? sql`` : sql`strict`}`.execute(db);
}
