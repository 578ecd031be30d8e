import { type Kysely, sql } from "kysely";

/**
 * Each kind of delivery is claimed by itself. With the kind first, a backlog of one kind is not walked through on the way
 * to another.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index outbox_waiting`.execute(db);
  await sql`create index outbox_waiting on outbox (kind, next_attempt_at, id)
    where delivered_at is null and failed_at is null`.execute(db);
}
