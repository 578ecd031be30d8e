import { type Kysely, sql } from "kysely";
import { amount } from "#content/amounts.ts";
import type { Database } from "#db/tables.ts";
import { listedState } from "#newsletter/subscribers/subscriber-states.ts";

export async function readStoredCounts(db: Kysely<Database>) {
  const states = ["confirmed", "unconfirmed", "bounced", "unsubscribed", "held"] as const;
  const state = sql`case when held_at is not null then 'held' else ${listedState} end`;
  const counts = states.map(
    (name) => sql`count(*) filter (where ${state} = ${name}) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<(typeof states)[number], number>>`
    select ${sql.join(counts)} from subscribers`.execute(db);
  const [subscribers = { confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0, held: 0 }] =
    rows;
  const messages = await db
    .selectFrom("contact_messages")
    .select(({ fn }) => [fn.countAll<number>().as("all"), fn.count<number>("held_at").as("held")])
    .executeTakeFirstOrThrow();
  const { pausedSends } = await db
    .selectFrom("sends")
    .select(({ fn }) => fn.countAll<number>().as("pausedSends"))
    .where("state", "=", "paused")
    .where("pause_reason", "is not", null)
    .executeTakeFirstOrThrow();
  return {
    subscribers,
    messages: { received: messages.all - messages.held, held: messages.held },
    pausedSends,
  };
}

type Quarantined = { messages: number; signUps: number };

export async function countQuarantined(db: Kysely<Database>): Promise<Quarantined> {
  const { rows } = await sql<Quarantined>`select
    (select count(*) from contact_messages where held_at is not null) as messages,
    (select count(*) from subscribers where held_at is not null) as "signUps"`.execute(db);
  return rows[0] ?? { messages: 0, signUps: 0 };
}

/** `2 messages and 1 sign-up`. */
export function describeQuarantined({ messages, signUps }: Quarantined): string {
  const parts = [
    messages > 0 && amount(messages, "message"),
    signUps > 0 && amount(signUps, "sign-up"),
  ];
  return parts.filter(Boolean).join(" and ") || "nothing";
}
