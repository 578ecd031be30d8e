import { type Kysely, PostgresAdapter, sql } from "kysely";

/** What the owner has set at the desk. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const strict = db.getExecutor().adapter instanceof PostgresAdapter ? sql`` : sql`strict`;
  await sql`create table settings (
    name text primary key,
    value text not null,
    changed_at text not null
  ) ${strict}`.execute(db);
}
