import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * Adds to each draft the words that it was made from, and the version that said what the issue said. Both stay
 * null for drafts of before: their issue may have been changed since.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const number = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bigint` : sql`integer`;
  await sql`alter table drafts add column base_fingerprint text`.execute(db);
  await sql`alter table drafts add column base_version ${number}`.execute(db);
}
