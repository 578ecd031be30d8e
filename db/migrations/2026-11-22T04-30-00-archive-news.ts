import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * On PostgreSQL, every change to the issues is told to whoever listens, with its commit: copies of the server look at
 * once in place of at their next look. A SQLite file has one server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`create or replace function draw_archive_version() returns trigger language plpgsql as $$
    begin
      update archive_version set version = gen_random_uuid()::text;
      perform pg_notify('archive_changed', '');
      return null;
    end
  $$`.execute(db);
}
