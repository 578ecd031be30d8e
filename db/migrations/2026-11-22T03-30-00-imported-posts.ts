import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Which issue a post of another program's archive has become, so that an import can be run again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await sql`create table imported_posts (
    source text primary key,
    slug text not null,
    issue_id ${onPostgres ? sql`bigint` : sql`integer`} not null
  ) ${onPostgres ? sql`` : sql`strict`}`.execute(db);
}
