import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Who subscribers are, as a list or the owner said, and until when a consent that somebody's purchase implies counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["first_name", "last_name", "tags"]) {
    await sql`alter table subscribers add column ${sql.ref(column)} text not null default ''`.execute(
      db,
    );
  }
  await sql`alter table subscribers add column consent_ends_at text`.execute(db);
  await sql`create index subscribers_consent_ends on subscribers (consent_ends_at)
    where consent_ends_at is not null`.execute(db);
  // Growth is counted for pages that are often looked at.
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const others = onPostgres ? sql`include (unsubscribed_at, bounced_at)` : sql``;
  const columns = onPostgres ? sql`confirmed_at` : sql`confirmed_at, unsubscribed_at, bounced_at`;
  await sql`create index subscribers_confirmed on subscribers (${columns}) ${others}`.execute(db);
}
