import { type Kysely, sql } from "kysely";

/**
 * Mail goes out at a pace, and where more waits than is sent, by priority: the index has the priority before the time, so that a
 * flood's backlog is not walked through on the way to what goes before it. Refused attempts are counted apart.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column priority integer not null default 0`.execute(db);
  await sql`alter table outbox add column refusals integer not null default 0`.execute(db);
  await sql`drop index outbox_waiting`.execute(db);
  await sql`create index outbox_waiting on outbox (kind, priority, next_attempt_at, id)
    where delivered_at is null and failed_at is null`.execute(db);
  await sql`create table mail_paces (name text primary key, paid_until text not null)`.execute(db);
}
