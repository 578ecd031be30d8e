import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * A word for the state that the issues are in: another one after every change, by whatever program. A page that shows
 * issues is as good as new while it is the same. It is drawn by lot, so that a state which is copied back has its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await sql`create table archive_version (version text not null)`.execute(db);
  const drawn = isPostgres ? sql`gen_random_uuid()::text` : sql`lower(hex(randomblob(16)))`;
  await sql`insert into archive_version (version) values (${drawn})`.execute(db);
  const draw = sql`update archive_version set version = ${drawn};`;
  if (isPostgres) {
    await sql`create function draw_archive_version() returns trigger language plpgsql as $$
      begin ${draw} return null; end
    $$`.execute(db);
    await sql`create trigger archive_version_drawn
      after insert or update or delete or truncate on final_newsletters
      for each statement execute function draw_archive_version()`.execute(db);
    return;
  }
  for (const change of ["insert", "update", "delete"]) {
    await sql`create trigger ${sql.ref(`archive_version_on_${change}`)}
      after ${sql.raw(change)} on final_newsletters begin ${draw} end`.execute(db);
  }
}
