import { type Kysely, sql } from "kysely";

/** Whom the owner added counts from that day on. Without this, what an issue came to read the whole ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index consent_events_added on consent_events (recorded_at)
    where event = 'added'`.execute(db);
}
