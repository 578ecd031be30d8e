import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";

/** The operator hears of held messages and sign-ups at most this often. */
const notePauseMs = 24 * 60 * 60 * 1000;

/** Its mark's time is when the latest note is due. */
const noteMark = "held-note";

/**
 * Lets the operator know by mail that something is held, in the transaction that holds it: at once, or a day after the
 * note before. Whatever is held until a note goes out is covered by it, so none is ever forgotten and none floods.
 */
export async function noteHeld(trx: Kysely<Database>, now: Date): Promise<void> {
  const due = await nextNote(trx, now);
  if (due === null) return;
  const payload = { heldAt: now.toISOString(), dueAt: due.toISOString() };
  await enqueue(trx, { kind: "held-email", payload, now, notBefore: due });
}

/** When a note has to go out, where none is waiting to; of several transactions at once only one is given a time. */
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
