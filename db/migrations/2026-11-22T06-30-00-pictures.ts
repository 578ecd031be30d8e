import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Pictures of imported issues that the site keeps itself, each once, and which issues show them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const strict = onPostgres ? sql`` : sql`strict`;
  await sql`create table pictures (
    hash text primary key,
    media_type text not null,
    base64 text not null,
    kept_at text not null
  ) ${strict}`.execute(db);
  await sql`create table issue_pictures (
    issue_id ${onPostgres ? sql`bigint` : sql`integer`} not null,
    hash text not null,
    primary key (issue_id, hash)
  ) ${strict}`.execute(db);
  await sql`create index issue_pictures_hash on issue_pictures (hash)`.execute(db);
}
