import type { Kysely, Updateable } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, SendRowsTable } from "#db/tables.ts";
import { lockMailboxes } from "../load-subscriber.ts";
import { type Refusal, recordBounce } from "../record-bounce.ts";
import { stateOf } from "../subscriber-states.ts";
import { rowTransitions, sendStatesBefore } from "./send-states.ts";

export type HandedOver = {
  id: number;
  sendId: number;
  readerId: number;
  mailbox: string;
  email: string;
  token: string;
  attempts: number;
  /** The Message-ID that an earlier send gave it. */
  keptMessageId: string | null;
  claimedBy: string;
};

type HandOver = {
  sendId: number;
  /** Unique to the worker, which must still have the claim to settle the row. */
  claimant: string;
  now: Date;
  leaseMs: number;
};

/** Unsubscribed recipients that one transaction skips. */
const withdrawnMax = 50;

/**
 * Claims the next due mail of a send before it leaves. A recipient who left, bounced or was erased since the send began
 * is withdrawn in the same transaction. Null where none is due.
 */
export async function handOver(db: Kysely<Database>, order: HandOver): Promise<HandedOver | null> {
  // Most calls find nothing and need no write lock.
  if (!(await dueRows(db, order).limit(1).executeTakeFirst())) return null;
  return await db.transaction().execute(async (trx) => {
    if (!(await isSending(trx, order.sendId))) return null;
    for (let withdrawn = 0; withdrawn < withdrawnMax; withdrawn += 1) {
      const row = await dueRows(trx, order)
        .orderBy("send_rows.due_at")
        .orderBy("send_rows.id")
        .limit(1)
        .$if(isPostgres(trx), (select) => select.forUpdate().skipLocked())
        .executeTakeFirst();
      if (!row) return null;
      const mail = await handOverRow(trx, row, order);
      if (mail) return mail;
    }
    return null;
  });
}

function dueRows(db: Kysely<Database>, { sendId, now }: HandOver) {
  return db
    .selectFrom("send_rows")
    .select([
      "send_rows.id",
      "send_rows.reader_id as readerId",
      "send_rows.attempts",
      "send_rows.message_id as keptMessageId",
    ])
    .where("send_rows.send_id", "=", sendId)
    .where("send_rows.settled_at", "is", null)
    .where("send_rows.due_at", "<=", now.toISOString());
}

/** Locked, so that nothing is handed over after a pause. */
async function isSending(trx: Kysely<Database>, sendId: number): Promise<boolean> {
  const send = await trx
    .selectFrom("sends")
    .select("state")
    .where("id", "=", sendId)
    .$if(isPostgres(trx), (select) => select.forShare())
    .executeTakeFirst();
  return send !== undefined && sendStatesBefore.finish.includes(send.state);
}

type DueRow = { id: number; readerId: number; attempts: number; keptMessageId: string | null };

async function handOverRow(
  trx: Kysely<Database>,
  row: DueRow,
  { sendId, claimant, now, leaseMs }: HandOver,
): Promise<HandedOver | null> {
  // Locked, so that an unsubscribe comes before the hand-over or after it.
  const subscriber = await trx
    .selectFrom("subscribers")
    .select([
      "mailbox_key as mailbox",
      "email",
      "token",
      "confirmed_at as confirmedAt",
      "unsubscribed_at as unsubscribedAt",
      "pending_since as pendingSince",
      "held_at as heldAt",
      "bounced_at as bouncedAt",
    ])
    .where("id", "=", row.readerId)
    .$if(isPostgres(trx), (select) => select.forShare())
    .executeTakeFirst();
  const state = subscriber ? stateOf(subscriber, false) : "no longer a subscriber";
  const update = trx.updateTable("send_rows").where("id", "=", row.id);
  if (!subscriber || state !== "confirmed") {
    const { to } = rowTransitions.withdraw;
    await update.set({ state: to, settled_at: now.toISOString(), answer: state }).execute();
    return null;
  }
  const attempts = row.attempts + 1;
  await update
    .set({
      state: rowTransitions["hand over"].to,
      claimed_by: claimant,
      due_at: new Date(now.getTime() + leaseMs).toISOString(),
      attempts,
    })
    .execute();
  const { mailbox, email, token } = subscriber;
  return { ...row, sendId, mailbox, email, token, attempts, claimedBy: claimant };
}

export type RowOutcome =
  | { event: "accept" }
  | { event: "defer"; answer: string; dueAt: Date }
  /** `refusal` is set where the address is at fault. */
  | { event: "refuse"; answer: string; refusal: Refusal | null }
  /** `tried: false`: it never reached the server, so the attempt doesn't count. */
  | { event: "hand back"; dueAt: Date; tried: boolean };

/**
 * Writes the outcome and what it says of the address in one transaction. Returns false, and writes nothing, where
 * another worker has taken the row over.
 */
export async function settleRow(
  db: Kysely<Database>,
  row: HandedOver,
  outcome: RowOutcome,
  now: Date,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const refusal = outcome.event === "refuse" ? outcome.refusal : null;
    // Before the row, in the order of an erasure, so that the two can't deadlock.
    if (refusal) await lockMailboxes(trx, [row.mailbox]);
    const { from, to } = rowTransitions[outcome.event];
    const result = await trx
      .updateTable("send_rows")
      .set({ state: to, claimed_by: null, ...changeOf(row, outcome, now) })
      .where("id", "=", row.id)
      .where("claimed_by", "=", row.claimedBy)
      .where("state", "in", from)
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    if (refusal) await recordBounce(trx, { mailbox: row.mailbox, refusal, now });
    return true;
  });
}

function changeOf(
  { attempts }: HandedOver,
  outcome: RowOutcome,
  now: Date,
): Updateable<SendRowsTable> {
  switch (outcome.event) {
    case "accept":
      return { answer: null, settled_at: now.toISOString() };
    case "refuse":
      return { answer: outcome.answer, settled_at: now.toISOString() };
    case "defer":
      return { answer: outcome.answer, due_at: outcome.dueAt.toISOString() };
    case "hand back":
      return {
        due_at: outcome.dueAt.toISOString(),
        attempts: outcome.tried ? attempts : attempts - 1,
      };
  }
}
