import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Lists of subscribers that the owner has uploaded, with what became of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const number = onPostgres ? sql`bigint` : sql`integer`;
  const strict = onPostgres ? sql`` : sql`strict`;
  await sql`create table imports (
    key text primary key,
    name text not null,
    files text not null,
    options text not null,
    state text not null,
    outcome text not null,
    consent text,
    begun_at text,
    done ${number} not null,
    total ${number} not null,
    counts text,
    changed_at text not null
  ) ${strict}`.execute(db);
}
