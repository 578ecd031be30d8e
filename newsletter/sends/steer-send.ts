import { randomUUID } from "node:crypto";
import { sql, type UpdateObject } from "kysely";
import type { Database, Db, RowState, SendAudience, SendState } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { isConfirmed } from "../subscriber-states.ts";

/** Message-IDs and the placeholder of the token derive from this secret. */
export function newSendKey(): string {
  return randomUUID();
}

/** Replaced by each subscriber's token; no issue can contain it. */
export function tokenPlaceholderOf(sendKey: string): string {
  return `reader-${sendKey}`;
}

/**
 * The local part of a mail's Message-ID, the same at every attempt and in every send. `kept` is that of an earlier
 * send.
 */
export function rowMessageId(sendKey: string, { id, kept }: { id: number; kept: string | null }) {
  return kept ?? `${sendKey}.${id}`;
}

export const rowStates: readonly RowState[] = [
  "waiting",
  "handed_over",
  "deferred",
  "accepted",
  "refused",
  "withdrawn",
];

type QueuedSend = {
  sendKey: string;
  issue: { id: number; title: string };
  audience: SendAudience;
  mail: { subject: string; html: string; text: string };
  beginsAt: Date;
  now: Date;
};

type QueueSendResult =
  | { ok: true; id: number }
  /** The issue already has a send that is waiting, under way or paused. */
  | { ok: false; reason: "send_open"; openId: number };

export async function queueSend(
  db: Db,
  { sendKey, issue, audience, mail, beginsAt, now }: QueuedSend,
): Promise<QueueSendResult> {
  return await db.transaction().execute(async (trx): Promise<QueueSendResult> => {
    const inserted = await trx
      .insertInto("sends")
      .values({
        send_key: sendKey,
        issue_id: issue.id,
        title: issue.title,
        audience,
        state: "waiting",
        subject: mail.subject,
        html: mail.html,
        plain_text: mail.text,
        created_at: now.toISOString(),
        begins_at: beginsAt.toISOString(),
      })
      // The index lets only one of two concurrent sends through.
      .onConflict((conflict) =>
        conflict.column("issue_id").where("ended_at", "is", null).doNothing(),
      )
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
  });
}

export async function findPreheader(db: Db, issueId: number): Promise<string | null> {
  const row = await db
    .selectFrom("issue_preheaders")
    .select("preheader")
    .where("issue_id", "=", issueId)
    .executeTakeFirst();
  return row?.preheader ?? null;
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

/** Pauses a send that can't go on by itself, and notifies the operator. */
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

/** Ends a send for good: recipients not mailed yet don't get the issue. */
export async function cancelSend(db: Db, { id, now }: { id: number; now: Date }) {
  return await db.transaction().execute(async (trx): Promise<SteerResult> => {
    const cancelled = { state: "cancelled", ended_at: now.toISOString() } as const;
    const result = await steer(trx, id, ["waiting", "sending", "paused"], cancelled);
    return result.ok ? { ...result, withdrawn: await withdrawLeftOvers(trx, now, id) } : result;
  });
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
): Promise<SteerResult> {
  const steered = await db
    .updateTable("sends")
    .set(change)
    .where("id", "=", id)
    .where("state", "in", from)
    .returning("state")
    .executeTakeFirst();
  if (steered) return { ok: true, state: steered.state, withdrawn: 0 };
  const send = await db.selectFrom("sends").select("state").where("id", "=", id).executeTakeFirst();
  if (!send) return { ok: false, reason: "unknown_send" };
  return { ok: false, reason: "not_possible", state: send.state };
}

/** Ends a send that has no open rows. Returns whether it did. */
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

type RowCounts = Record<RowState, number>;

export function openRows({ waiting, handed_over, deferred }: RowCounts): number {
  return waiting + handed_over + deferred;
}

export type SendListing = Awaited<ReturnType<typeof listSends>>[number];

export async function listSends(
  db: Db,
  {
    limit = 50,
    issueId,
    id,
    open = false,
  }: { limit?: number; issueId?: number; id?: number; open?: boolean } = {},
) {
  let query = db
    .selectFrom("sends")
    .select(["id", "issue_id as issueId", "title", "audience", "state", "created_at as createdAt"])
    .select(["begins_at as beginsAt", "begun_at as begunAt", "ended_at as endedAt"])
    .select("pause_reason as pauseReason")
    .orderBy("id", "desc")
    .limit(limit);
  if (issueId !== undefined) query = query.where("issue_id", "=", issueId);
  if (id !== undefined) query = query.where("id", "=", id);
  if (open) query = query.where("ended_at", "is", null);
  return await Promise.all(
    (await query.execute()).map(async (send) => ({
      ...send,
      counts: await countRows(db, send.id),
    })),
  );
}

export type OpenSend = Awaited<ReturnType<typeof openSends>>[number];

/** The sends under way with their mails, oldest first. */
export async function openSends(db: Db) {
  return await db
    .selectFrom("sends")
    .select(["id", "send_key as key", "issue_id as issueId", "subject", "html"])
    .select(["plain_text as text", ({ fn }) => fn.coalesce("begun_at", "begins_at").as("begunAt")])
    .where("state", "=", "sending")
    .orderBy("id")
    .execute();
}

/** Where the latest send of each of these issues stands, by the issue's id. */
export async function listSendStates(
  db: Db,
  issueIds: readonly number[],
): Promise<Map<number, SendState>> {
  const rows = await db
    .selectFrom("sends")
    .select(["issue_id", "state"])
    .where("issue_id", "in", [0, ...issueIds])
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ issue_id, state }) => [issue_id, state]));
}

export async function findSend(db: Db, id: number): Promise<SendListing | null> {
  const [send] = await listSends(db, { id });
  return send ?? null;
}

async function countRows(db: Db, sendId: number): Promise<RowCounts> {
  const rows = await db
    .selectFrom("send_rows")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .where("send_id", "=", sendId)
    .groupBy("state")
    .execute();
  const counts = Object.fromEntries(rowStates.map((state) => [state, 0])) as RowCounts;
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

type ListedRows = { sendId: number; state?: RowState; afterId?: number; limit?: number };

/** Each recipient's outcome; the address is null where the subscriber was erased. */
export async function listSendRows(
  db: Db,
  { sendId, state, afterId = 0, limit = 500 }: ListedRows,
) {
  let query = db
    .selectFrom("send_rows as row")
    .innerJoin("sends", "sends.id", "row.send_id")
    .leftJoin("subscribers as subscriber", "subscriber.id", "row.reader_id")
    .select(["row.id", "sends.send_key as sendKey", "row.message_id as kept", "subscriber.email"])
    .select(["row.state", "row.attempts", "row.due_at as dueAt", "row.settled_at as settledAt"])
    .select("row.answer")
    .where("row.send_id", "=", sendId)
    .where("row.id", ">", afterId)
    .orderBy("row.id")
    .limit(limit);
  if (state) query = query.where("row.state", "=", state);
  const rows = await query.execute();
  return rows.map(({ sendKey, kept, ...row }) => ({
    ...row,
    messageId: rowMessageId(sendKey, { id: row.id, kept }),
  }));
}

/** Counts the confirmed subscribers, and those whose mail of the issue was neither accepted nor refused for good. */
export async function countAudience(
  db: Db,
  issueId: number,
): Promise<{ confirmed: number; withoutIssue: number }> {
  const { rows } = await sql<{ confirmed: number; withoutIssue: number }>`
    select count(*) as confirmed, count(*) - (
      select count(*) from send_rows join subscribers on subscribers.id = reader_id
      where send_id in (select id from sends where issue_id = ${issueId})
        and state <> 'withdrawn' and ${isConfirmed}) as "withoutIssue"
    from subscribers where ${isConfirmed}`.execute(db);
  return rows[0] ?? { confirmed: 0, withoutIssue: 0 };
}
