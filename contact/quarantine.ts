import type { Kysely } from "kysely";
import type { FormEvidence } from "#contracts/ports.ts";
import type { Database, HeldReason } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";

// Suspected spam, a message or a sign-up, is stored and answered like any other, and nothing is mailed about it until the
// operator releases it.

/** Why a form's sender is suspected to be a program; null if there is no reason. */
export function suspicionOf({ honeypotFilled }: FormEvidence): HeldReason | null {
  return honeypotFilled ? "hidden_field" : null;
}

/** A contact form sent sooner after it was opened, in milliseconds, is mostly a program's. */
export const leastOpenForMs = 1_500;

/** Whether a message was sent sooner than a person could. It is delivered, and its mail says so. */
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

/** The mark whose time is when the latest note is due. */
const noteMark = "held-note";

/**
 * Notifies the operator by mail, in the same transaction, that something was quarantined: at once, or a day after the
 * previous note. A waiting note covers whatever comes before it is sent.
 */
export async function noteQuarantined(trx: Kysely<Database>, now: Date): Promise<void> {
  const due = await nextNote(trx, now);
  if (due === null) return;
  const payload = { heldAt: now.toISOString(), dueAt: due.toISOString() };
  await enqueue(trx, { kind: "held-email", payload, now, notBefore: due });
}

/** When the next note is due; null if one is waiting. Only one of several concurrent transactions gets a time. */
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
