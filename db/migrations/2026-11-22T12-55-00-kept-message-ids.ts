import { type Kysely, sql } from "kysely";

/**
 * A mail keeps its Message-ID when another send of the issue takes it over: what the first has tried may have arrived. The
 * indexes are for the looks at each second for what earlier sends of an issue have left open.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table send_rows add column message_id text`.execute(db);
  await sql`create index sends_cancelled on sends (id) where state = 'cancelled'`.execute(db);
  await sql`create index sends_issue on sends (issue_id)`.execute(db);
}
