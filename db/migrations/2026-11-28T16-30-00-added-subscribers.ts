import { type Kysely, sql } from "kysely";

/** An index of those the owner added, by the day. Without it, the counts beside each issue read the whole ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index consent_events_added on consent_events (recorded_at)
    where event = 'added'`.execute(db);
}
