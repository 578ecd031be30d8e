import { type Kysely, PostgresAdapter, sql } from "kysely";

/** What the owner has changed of the site's own words: the value as JSON, by the fact's name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const strict = db.getExecutor().adapter instanceof PostgresAdapter ? sql`` : sql`strict`;
  await sql`create table site_words (
    name text primary key,
    value text not null,
    changed_at text not null
  ) ${strict}`.execute(db);
}
