import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * On PostgreSQL, the words of an issue say how new it is too, so that the newest that have a word are found by the index
 * alone. SQLite gives them in that order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`update prepared_issues
    set words = words || array_to_tsvector(array['#' || floor(issue_id / 256.0)::bigint])`.execute(
    db,
  );
}
