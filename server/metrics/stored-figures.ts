import { type Kysely, sql } from "kysely";
import type { Database } from "#backend/database/tables.ts";

/** What the database holds, as numbers. */
export type StoredFigures = {
  outbox: {
    kind: string;
    waiting: number;
    failed: number;
    /** Attempts made so far at what still waits. */
    waitingAttempts: number;
    /** ISO 8601; null where nothing waits. */
    oldestWaitingAt: string | null;
  }[];
  subscribers: { confirmed: number; unconfirmed: number; unsubscribed: number; held: number };
  messages: { received: number; held: number };
};

/** Reads the figures; the tables are gone through once each, so not for every request. */
export async function readStoredFigures(db: Kysely<Database>): Promise<StoredFigures> {
  const outbox = await db
    .selectFrom("outbox")
    .where("delivered_at", "is", null)
    .groupBy("kind")
    .select((eb) => [
      "kind",
      count(eb.ref("failed_at"), sql`is null`).as("waiting"),
      count(eb.ref("failed_at"), sql`is not null`).as("failed"),
      sql<number>`sum(case when failed_at is null then attempts else 0 end)`.as("attempts"),
      sql<string | null>`min(case when failed_at is null then created_at end)`.as("oldest"),
    ])
    .execute();
  const subscribers = await db
    .selectFrom("subscribers")
    .select([
      sql<number>`count(*)`.as("all"),
      sql<number>`count(held_at)`.as("held"),
      sql<number>`coalesce(sum(case when held_at is null and unsubscribed_at is not null then 1 else 0 end), 0)`.as(
        "unsubscribed",
      ),
      sql<number>`coalesce(sum(case when held_at is null and unsubscribed_at is null and confirmed_at is not null then 1 else 0 end), 0)`.as(
        "confirmed",
      ),
    ])
    .executeTakeFirstOrThrow();
  const messages = await db
    .selectFrom("contact_messages")
    .select([sql<number>`count(*)`.as("all"), sql<number>`count(held_at)`.as("held")])
    .executeTakeFirstOrThrow();
  // PostgreSQL's counts come as text.
  const all = Number(subscribers.all);
  const held = Number(subscribers.held);
  const unsubscribed = Number(subscribers.unsubscribed);
  const confirmed = Number(subscribers.confirmed);
  return {
    outbox: outbox.map((row) => ({
      kind: row.kind,
      waiting: Number(row.waiting),
      failed: Number(row.failed),
      waitingAttempts: Number(row.attempts),
      oldestWaitingAt: row.oldest,
    })),
    subscribers: {
      confirmed,
      unconfirmed: all - unsubscribed - confirmed - held,
      unsubscribed,
      held,
    },
    messages: {
      received: Number(messages.all) - Number(messages.held),
      held: Number(messages.held),
    },
  };
}

function count(column: unknown, condition: ReturnType<typeof sql>) {
  return sql<number>`sum(case when ${column} ${condition} then 1 else 0 end)`;
}
