import { type Kysely, PostgresAdapter, sql } from "kysely";

/** How large the last backup is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const number = onPostgres ? sql`bigint` : sql`integer`;
  await sql`alter table backups add column size_bytes ${number}`.execute(db);
}
