import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { rowTransitions } from "./row-states.ts";
import { type SendState, sendStatesBefore } from "./send-states.ts";

export type SteerResult =
  | { ok: true; state: SendState; withdrawn: number }
  | { ok: false; reason: "unknown_send" }
  /** The send is in a state from which this leads nowhere. */
  | { ok: false; reason: "not_possible"; state: SendState };

/** Stops a send until it is resumed. What is in the mail server's hands already is still written down. */
export async function pauseSend(
  db: Kysely<Database>,
  { id, reason = null }: { id: number; reason?: string | null },
): Promise<SteerResult> {
  return await steer(db, id, "pause", () => ({ state: "paused", pause_reason: reason }));
}

/** Goes on where the send was stopped: with the rows that are open, and no others. */
export async function resumeSend(db: Kysely<Database>, id: number): Promise<SteerResult> {
  return await steer(db, id, "resume", (begunAt) => ({
    state: begunAt === null ? "waiting" : "sending",
    pause_reason: null,
  }));
}

/** Ends a send for good: whoever has not been mailed yet doesn't get the issue. */
export async function cancelSend(
  db: Kysely<Database>,
  { id, now }: { id: number; now: Date },
): Promise<SteerResult> {
  const endedAt = now.toISOString();
  return await db.transaction().execute(async (trx): Promise<SteerResult> => {
    const result = await steer(trx, id, "cancel", () => ({
      state: "cancelled",
      ended_at: endedAt,
    }));
    if (!result.ok) return result;
    const withdrawn = await trx
      .updateTable("send_rows")
      .set({ state: rowTransitions.withdraw.to, settled_at: endedAt, answer: "cancelled" })
      .where("send_id", "=", id)
      .where("state", "in", ["waiting", "deferred"])
      .executeTakeFirst();
    return { ...result, withdrawn: Number(withdrawn.numUpdatedRows) };
  });
}

type Change = { state: SendState; pause_reason?: string | null; ended_at?: string };

async function steer(
  db: Kysely<Database>,
  id: number,
  event: "pause" | "resume" | "cancel",
  changeOf: (begunAt: string | null) => Change,
): Promise<SteerResult> {
  const send = await db
    .selectFrom("sends")
    .select(["state", "begun_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!send) return { ok: false, reason: "unknown_send" };
  const change = changeOf(send.begun_at);
  const result = await db
    .updateTable("sends")
    .set(change)
    .where("id", "=", id)
    .where("state", "in", sendStatesBefore[event])
    // Between the look and this statement the server may have begun it.
    .where("begun_at", send.begun_at === null ? "is" : "=", send.begun_at)
    .executeTakeFirst();
  if (result.numUpdatedRows > 0n) return { ok: true, state: change.state, withdrawn: 0 };
  return { ok: false, reason: "not_possible", state: send.state };
}
