import { type Kysely, sql } from "kysely";

/** What happened to consents in a month is counted by an index that holds all that is asked, however long the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index consent_events_occurred on consent_events (occurred_at, event)`.execute(
    db,
  );
  await sql`create index contact_messages_subjects on contact_messages (received_at, subject, held_at)`.execute(
    db,
  );
}
