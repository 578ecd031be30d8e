import { type Kysely, sql } from "kysely";

/** What is asked each second, or with each leaving, goes by an index however many newsletters and pauses there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index sends_under_way on sends (state, id) where ended_at is null`.execute(db);
  await sql`create index mail_pauses_until on mail_pauses (until)`.execute(db);
}
