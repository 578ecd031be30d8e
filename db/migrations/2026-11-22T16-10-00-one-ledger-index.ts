import { type Kysely, sql } from "kysely";

/** The other index of the ledger by mailbox finds the same few entries; each sign-up wrote a page of both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index consent_events_mailbox`.execute(db);
}
