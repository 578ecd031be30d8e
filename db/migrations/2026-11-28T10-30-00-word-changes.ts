import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Every change of the site's own words; null where the delivered ones came back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const strict = db.getExecutor().adapter instanceof PostgresAdapter ? sql`` : sql`strict`;
  await sql`create table site_word_changes (
    name text not null,
    changed_at text not null,
    changed_by text not null,
    value text,
    primary key (name, changed_at)
  ) ${strict}`.execute(db);
  await sql`insert into site_word_changes (name, changed_at, changed_by, value)
    select name, changed_at, '', value from site_words`.execute(db);
}
