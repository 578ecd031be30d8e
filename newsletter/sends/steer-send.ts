import { randomUUID } from "node:crypto";
import { sql, type UpdateObject } from "kysely";
import type { Database, Db, SendAudience, SendState } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";

type QueuedSend = {
  issue: { id: number; title: string };
  audience: SendAudience;
  /** The line beside the subject; null: the issue's own. */
  preheader: string | null;
  beginsAt: Date;
  now: Date;
};

type QueueSendResult =
  | { ok: true; id: number }
  /** The issue already has a send that is waiting, under way or paused. */
  | { ok: false; reason: "send_open"; openId: number };

/** Schedules a send. Its mail and its recipients are those of the moment at which it begins. */
export async function queueSend(
  trx: Db,
  { issue, audience, preheader, beginsAt, now }: QueuedSend,
): Promise<QueueSendResult> {
  const inserted = await trx
    .insertInto("sends")
    .values({
      // Message-IDs and the placeholder of the token derive from it.
      send_key: randomUUID(),
      issue_id: issue.id,
      title: issue.title,
      preheader,
      audience,
      state: "waiting",
      ...{ subject: "", html: "", plain_text: "" },
      created_at: now.toISOString(),
      begins_at: beginsAt.toISOString(),
    })
    // The index lets only one of two concurrent sends through.
    .onConflict((conflict) => conflict.column("issue_id").where("ended_at", "is", null).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) return { ok: true, id: inserted.id };
  const open = await trx
    .selectFrom("sends")
    .select("id")
    .where("issue_id", "=", issue.id)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return { ok: false, reason: "send_open", openId: open.id };
}

export type SteerResult =
  | { ok: true; state: SendState; withdrawn: number }
  | { ok: false; reason: "unknown_send" }
  | { ok: false; reason: "not_possible"; state: SendState };

/** Stops a send until it is resumed. Mails under way still get their outcome. */
export async function pauseSend(
  db: Db,
  { id, reason = null }: { id: number; reason?: string | null },
): Promise<SteerResult> {
  return await steer(db, id, ["waiting", "sending"], { state: "paused", pause_reason: reason });
}

export async function pauseForOperator(
  trx: Db,
  { id, reason, now }: { id: number; reason: string; now: Date },
): Promise<void> {
  const result = await pauseSend(trx, { id, reason });
  if (!result.ok) return;
  const { title } = await trx
    .selectFrom("sends")
    .select("title")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await enqueue(trx, { kind: "paused-email", payload: { sendId: id, title, reason }, now });
}

/** Resumes a paused send with its open rows. One that hasn't begun keeps its time, or begins now. */
export async function resumeSend(db: Db, id: number, now = new Date()): Promise<SteerResult> {
  const at = now.toISOString();
  return await steer(db, id, ["paused"], {
    state: sql`case when begun_at is null then 'waiting' else 'sending' end`,
    begins_at: sql`case when begun_at is null and begins_at < ${at} then ${at} else begins_at end`,
    pause_reason: null,
  });
}

/** Gives a send that hasn't begun another hour. A paused one stays paused. */
export async function moveSend(
  db: Db,
  { id, beginsAt }: { id: number; beginsAt: Date },
): Promise<SteerResult> {
  const change = { begins_at: beginsAt.toISOString() };
  return await steer(db, id, ["waiting", "paused"], change, { onlyBeforeBegin: true });
}

/** Ends a send for good: recipients not mailed yet don't get the issue. `reason` says why it ends by itself. */
export async function cancelSend(
  db: Db,
  { id, now, reason }: { id: number; now: Date; reason?: string },
): Promise<SteerResult> {
  const cancelled = { state: "cancelled", ended_at: now.toISOString() } as const;
  const change = reason === undefined ? cancelled : { ...cancelled, pause_reason: reason };
  const result = await steer(db, id, ["waiting", "sending", "paused"], change);
  return result.ok ? { ...result, withdrawn: await withdrawLeftOvers(db, now, id) } : result;
}

/**
 * Cancels the send of an issue that is about to be removed, where it hasn't begun; returns its id. Where one is under way,
 * nothing is changed.
 */
export async function cancelPlannedSends(
  trx: Db,
  { issueId, now }: { issueId: number; now: Date },
): Promise<
  { ok: true; sendId: number | null } | { ok: false; reason: "send_under_way"; sendId: number }
> {
  const cancelled = await trx
    .updateTable("sends")
    .set({ state: "cancelled", ended_at: now.toISOString() })
    .where("issue_id", "=", issueId)
    .where("ended_at", "is", null)
    .where("begun_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (cancelled) return { ok: true, sendId: cancelled.id };
  const open = await trx
    .selectFrom("sends")
    .select("id")
    .where("issue_id", "=", issueId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return open
    ? { ok: false, reason: "send_under_way", sendId: open.id }
    : { ok: true, sendId: null };
}

async function steer(
  db: Db,
  id: number,
  from: readonly SendState[],
  change: UpdateObject<Database, "sends">,
  { onlyBeforeBegin = false } = {},
): Promise<SteerResult> {
  const steered = await db
    .updateTable("sends")
    .set(change)
    .where("id", "=", id)
    .where("state", "in", from)
    .$if(onlyBeforeBegin, (update) => update.where("begun_at", "is", null))
    .returning("state")
    .executeTakeFirst();
  if (steered) return { ok: true, state: steered.state, withdrawn: 0 };
  const send = await db.selectFrom("sends").select("state").where("id", "=", id).executeTakeFirst();
  if (!send) return { ok: false, reason: "unknown_send" };
  return { ok: false, reason: "not_possible", state: send.state };
}

export async function finishSend(db: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sends")
    .set({ state: "finished", ended_at: now.toISOString() })
    .where("id", "=", id)
    .where("state", "=", "sending")
    .where(
      sql<boolean>`not exists (select 1 from send_rows where send_id = ${id} and settled_at is null)`,
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Withdraws the open mails of cancelled sends, or of one of them; those under way once they are back or their lease is
 * over. Returns how many.
 */
export async function withdrawLeftOvers(db: Db, now: Date, sendId?: number): Promise<number> {
  const at = now.toISOString();
  const { numAffectedRows } = await sql`
    update send_rows set state = 'withdrawn', settled_at = ${at}, answer = 'cancelled'
    where settled_at is null and (state <> 'handed_over' or due_at <= ${at})
      and send_id in (select id from sends where state = 'cancelled'
        ${sendId === undefined ? sql`` : sql`and id = ${sendId}`})`.execute(db);
  return Number(numAffectedRows);
}
