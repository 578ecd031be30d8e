import { type Kysely, sql } from "kysely";

/** The desk counts subscribers by their state without reading their rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index subscribers_states
    on subscribers (confirmed_at, unsubscribed_at, bounced_at, held_at)`.execute(db);
}
