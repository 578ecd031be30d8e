import { type Kysely, sql } from "kysely";

/**
 * Each entry of the ledger carries the hash of the one before it for the same mailbox. Entries from before stay as they
 * are, as the ledger takes no change: the first new entry of a mailbox carries a hash that was counted over all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table consent_events add column previous_hash text`.execute(db);
  await sql`create index consent_events_chain on consent_events (mailbox_key, id)`.execute(db);
}
