import { type Kysely, sql } from "kysely";

/** Why a send under way stands still, in the mail server's words; and an index to count what went in a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sends add column trouble text`.execute(db);
  await sql`create index send_rows_accepted on send_rows (settled_at)
    where state = 'accepted'`.execute(db);
}
