import type { Updateable } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, Db } from "#db/tables.ts";
import { lockMailboxes } from "../load-subscriber.ts";
import { type Refusal, recordBounce } from "../record-bounce.ts";
import { stateOf } from "../subscriber-states.ts";

export type HandedOver = NonNullable<Awaited<ReturnType<typeof handOver>>>;

type HandOver = {
  sendId: number;
  /** Unique to the worker, which must still have the claim to settle the row. */
  claimant: string;
  now: Date;
  leaseMs: number;
};

/**
 * Claims the next due mail of a send before it leaves. A recipient who left, bounced or was erased since the send began
 * is withdrawn in the same transaction. Null where none is due.
 */
export async function handOver(db: Db, { sendId, claimant, now, leaseMs }: HandOver) {
  const at = now.toISOString();
  return await db.transaction().execute(async (trx) => {
    // Locked, so that nothing is handed over after a pause.
    const send = await trx
      .selectFrom("sends")
      .select("id")
      .where("id", "=", sendId)
      .where("state", "=", "sending")
      .$if(isPostgres(trx), (select) => select.forShare())
      .executeTakeFirst();
    if (!send) return null;
    for (;;) {
      const row = await trx
        .selectFrom("send_rows")
        .select(["id", "reader_id", "attempts", "message_id"])
        .where("send_id", "=", sendId)
        .where("settled_at", "is", null)
        .where("due_at", "<=", at)
        .orderBy("due_at")
        .orderBy("id")
        .limit(1)
        .$if(isPostgres(trx), (select) => select.forUpdate().skipLocked())
        .executeTakeFirst();
      if (!row) return null;
      // Locked, so that an unsubscribe comes before the hand-over or after it.
      const subscriber = await trx
        .selectFrom("subscribers")
        .selectAll()
        .where("id", "=", row.reader_id)
        .$if(isPostgres(trx), (select) => select.forShare())
        .executeTakeFirst();
      const update = trx.updateTable("send_rows").where("id", "=", row.id);
      const state = subscriber ? stateOf(subscriber, false) : "no longer a subscriber";
      if (!subscriber || state !== "confirmed") {
        await update.set({ state: "withdrawn", settled_at: at, answer: state }).execute();
        continue;
      }
      // A mail that a crash interrupted is handed over again: it may have arrived, so it keeps its Message-ID.
      const attempts = row.attempts + 1;
      const due_at = new Date(now.getTime() + leaseMs).toISOString();
      const claim = { state: "handed_over", claimed_by: claimant, due_at, attempts } as const;
      await update.set(claim).execute();
      return {
        id: row.id,
        mailbox: subscriber.mailbox_key,
        email: subscriber.email,
        token: subscriber.token,
        attempts,
        /** The Message-ID that an earlier send gave it. */
        keptMessageId: row.message_id,
        claimedBy: claimant,
      };
    }
  });
}

/** The row's new values, and the refusal where the address is at fault. */
export type RowOutcome = { row: Updateable<Database["send_rows"]>; refusal?: Refusal | null };

/**
 * Writes the outcome and what it says of the address in one transaction. Returns false, and writes nothing, where
 * another worker has taken the row over.
 */
export async function settleRow(
  db: Db,
  mail: HandedOver,
  { row, refusal }: RowOutcome,
  now: Date,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // Before the row, in the order of an erasure, so that the two can't deadlock.
    if (refusal) await lockMailboxes(trx, [mail.mailbox]);
    const result = await trx
      .updateTable("send_rows")
      .set({ claimed_by: null, ...row })
      .where("id", "=", mail.id)
      .where("claimed_by", "=", mail.claimedBy)
      .where("state", "=", "handed_over")
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    if (refusal) await recordBounce(trx, { mailbox: mail.mailbox, refusal, now });
    return true;
  });
}
