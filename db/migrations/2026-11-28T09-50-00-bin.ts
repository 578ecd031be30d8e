import { type Kysely, PostgresAdapter, sql } from "kysely";

/** The desk's bin for drafts and issues, and drafts that are templates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const number = onPostgres ? sql`bigint` : sql`integer`;
  const strict = onPostgres ? sql`` : sql`strict`;
  await sql`alter table drafts add column binned_at text`.execute(db);
  await sql`alter table drafts add column template_at text`.execute(db);
  await sql`create table binned_issues (
    id ${number} primary key,
    title text not null,
    html text not null,
    publish_date text not null,
    preheader text,
    binned_at text not null
  ) ${strict}`.execute(db);
}
