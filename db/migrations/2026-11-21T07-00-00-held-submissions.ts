import { type Kysely, PostgresAdapter, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;

  for (const table of ["contact_messages", "subscribers"]) {
    for (const column of ["held_at", "held_reason", "released_at"]) {
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} text`.execute(db);
    }
    // Only what is held is in the index, so that it costs the others nothing.
    await sql`create index ${sql.ref(`${table}_held`)} on ${sql.table(table)} (held_at)
      where held_at is not null`.execute(db);
  }

  await sql`alter table subscribers add column alias_of text`.execute(db);
  await sql`alter table subscribers add column confirmation_delivery_id text`.execute(db);
  await sql`create index subscribers_alias_of on subscribers (alias_of)
    where alias_of is not null`.execute(db);

  if (!onPostgres) return;
  // Counts that several copies of the server share, in the shape that rate-limiter-flexible expects. Unlogged: they
  // are counted on every submission, and a crash may forget them.
  await sql`create unlogged table rate_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`.execute(db);
  // Two random UUIDs are 244 random bits.
  await sql`create table secrets (name text primary key, value text not null)`.execute(db);
  await sql`insert into secrets (name, value)
    values ('rate-limits', gen_random_uuid()::text || gen_random_uuid()::text)`.execute(db);
}
