import { type Kysely, PostgresAdapter, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await sql`alter table outbox add column request_id text`.execute(db);
  await sql`alter table outbox add column erased_at text`.execute(db);
  await sql`create table erasures (
    address_hash text primary key,
    erased_at text not null
  ) ${onPostgres ? sql`` : sql`strict`}`.execute(db);
}
