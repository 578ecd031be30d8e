import { type Kysely, sql } from "kysely";
import type { Database } from "../tables.ts";

/** How much is stored, by its state. */
export type StoredCounts = {
  subscribers: { confirmed: number; unconfirmed: number; unsubscribed: number; held: number };
  messages: { received: number; held: number };
};

export async function readStoredCounts(db: Kysely<Database>): Promise<StoredCounts> {
  const subscribers = { confirmed: 0, unconfirmed: 0, unsubscribed: 0, held: 0 };
  const subscriberRows = await sql<{ state: keyof typeof subscribers; rows: number }>`
    select case when held_at is not null then 'held'
      when unsubscribed_at is not null then 'unsubscribed'
      when confirmed_at is not null then 'confirmed' else 'unconfirmed' end as state,
      count(*) as rows
    from subscribers group by 1`.execute(db);
  for (const { state, rows } of subscriberRows.rows) subscribers[state] = Number(rows);

  const held = await count(db, "contact_messages", { held: true });
  const received = await count(db, "contact_messages", { held: false });
  return { subscribers, messages: { received, held } };
}

/** What is quarantined, alone. */
export async function readHeldCounts(
  db: Kysely<Database>,
): Promise<{ messages: number; subscribers: number }> {
  return {
    messages: await count(db, "contact_messages", { held: true }),
    subscribers: await count(db, "subscribers", { held: true }),
  };
}

async function count(
  db: Kysely<Database>,
  table: "contact_messages" | "subscribers",
  { held }: { held: boolean },
): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("rows"))
    .where("held_at", held ? "is not" : "is", null)
    .executeTakeFirstOrThrow();
  return Number(rows);
}
