import { type Kysely, PostgresAdapter, sql } from "kysely";

/** When the last backup was made and when the last one failed: a row each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await sql`create table backups (outcome text primary key, at text not null, words text not null)
    ${onPostgres ? sql`` : sql`strict`}`.execute(db);
}
