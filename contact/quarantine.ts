import { sql } from "kysely";
import { amount } from "#content/amounts.ts";
import { readMark, setMark } from "#db/marks.ts";
import type { Db } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";

// Suspected spam, a message or a sign-up, is stored and answered like any other, and nothing is mailed about it until the
// operator releases it.

type HeldCounts = { messages: number; signUps: number };

export async function countHeld(db: Db): Promise<HeldCounts> {
  const { rows } = await sql<HeldCounts>`select
    (select count(*) from contact_messages where held_at is not null) as messages,
    (select count(*) from subscribers where held_at is not null) as "signUps"`.execute(db);
  return rows[0] ?? { messages: 0, signUps: 0 };
}

/** `2 messages and 1 sign-up`. */
export function describeHeld({ messages, signUps }: HeldCounts): string {
  const parts = [
    messages > 0 && amount(messages, "message"),
    signUps > 0 && amount(signUps, "sign-up"),
  ];
  return parts.filter(Boolean).join(" and ") || "nothing";
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Notifies the operator by mail, in the same transaction, that something was quarantined: at once, or a day after the
 * previous note. A waiting note covers whatever comes before it is sent.
 */
export async function noteQuarantined(trx: Db, now: Date): Promise<void> {
  // The mark's time is when the latest note is due.
  const name = "held-note";
  const latest = await readMark(trx, name);
  if (latest && latest >= now.toISOString()) return;
  const due = new Date(Math.max(now.getTime(), Date.parse(latest ?? "1970") + dayMs));
  if (!(await setMark(trx, { name, at: due, ifBefore: now }))) return;
  const payload = { heldAt: now.toISOString(), dueAt: due.toISOString() };
  await enqueue(trx, { kind: "held-email", payload, now, notBefore: due });
}
