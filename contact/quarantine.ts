import type { Kysely } from "kysely";
import type { FormEvidence } from "#contracts/ports.ts";
import type { Database, HeldReason } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";

// Suspected spam, a message or a sign-up, is stored and answered like any other, and nothing is mailed about it until the
// operator releases it.

/** What the way a form was filled in says against its sender; null where nothing does. */
export function suspicionOf({ honeypotFilled }: FormEvidence): HeldReason | null {
  return honeypotFilled ? "hidden_field" : null;
}

/** Sending the contact form sooner after opening it, in milliseconds, is a program's doing and mostly not a person's. */
export const leastOpenForMs = 1_500;

/** Whether a message was sent sooner than people are. It is delivered, and its mail says so. */
export function isQuick({ openForMs }: FormEvidence): boolean {
  return openForMs !== null && openForMs < leastOpenForMs;
}

export type HeldCounts = { messages: number; signUps: number };

export async function countHeld(db: Kysely<Database>): Promise<HeldCounts> {
  const count = async (table: "contact_messages" | "subscribers") => {
    const { rows } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .where("held_at", "is not", null)
      .executeTakeFirstOrThrow();
    return rows;
  };
  return { messages: await count("contact_messages"), signUps: await count("subscribers") };
}

/** `2 messages and 1 sign-up`. */
export function describeHeld({ messages, signUps }: HeldCounts): string {
  const parts = [
    ...(messages > 0 ? [`${messages} ${messages === 1 ? "message" : "messages"}`] : []),
    ...(signUps > 0 ? [`${signUps} ${signUps === 1 ? "sign-up" : "sign-ups"}`] : []),
  ];
  return parts.join(" and ") || "nothing";
}

const notePauseMs = 24 * 60 * 60 * 1000;

/** Its time is when the latest note is due. */
const noteMark = "held-note";

/**
 * Tells the operator by mail that something was quarantined, in the same transaction: at once, or a day after the note
 * before. Whatever comes until a note goes out is covered by it.
 */
export async function noteQuarantined(trx: Kysely<Database>, now: Date): Promise<void> {
  const due = await nextNote(trx, now);
  if (due === null) return;
  const payload = { heldAt: now.toISOString(), dueAt: due.toISOString() };
  await enqueue(trx, { kind: "held-email", payload, now, notBefore: due });
}

/** When the next note has to go out; null where one is waiting. Of several transactions at once only one gets a time. */
async function nextNote(trx: Kysely<Database>, now: Date): Promise<Date | null> {
  const first = await trx
    .insertInto("marks")
    .values({ name: noteMark, set_at: now.toISOString() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .executeTakeFirst();
  if (first) return now;
  const { set_at: latest } = await trx
    .selectFrom("marks")
    .select("set_at")
    .where("name", "=", noteMark)
    .executeTakeFirstOrThrow();
  if (latest >= now.toISOString()) return null;
  const due = new Date(Math.max(now.getTime(), Date.parse(latest) + notePauseMs));
  const moved = await trx
    .updateTable("marks")
    .set({ set_at: due.toISOString() })
    .where("name", "=", noteMark)
    .where("set_at", "=", latest)
    .returning("name")
    .executeTakeFirst();
  return moved ? due : null;
}
