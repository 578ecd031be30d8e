import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database, RowState, SendAudience, SendState } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { isConfirmed } from "../subscriber-states.ts";
import {
  mayBeTakenOver,
  rowMessageId,
  rowStates,
  rowTransitions,
  sendStatesBefore,
} from "./send-states.ts";

type SendMail = { subject: string; html: string; text: string };

type QueueSendResult =
  | { ok: true; id: number }
  /** The issue already has a send that is waiting, under way or paused. */
  | { ok: false; reason: "send_open"; openId: number };

/** Message-IDs and the placeholder of the token derive from this secret. */
export function newSendKey(): string {
  return randomUUID();
}

/** Replaced by each subscriber's token; no issue can contain it. */
export function tokenPlaceholderOf(sendKey: string): string {
  return `reader-${sendKey}`;
}

export async function queueSend(
  db: Kysely<Database>,
  {
    sendKey,
    issue,
    audience,
    mail,
    beginsAt,
    now,
  }: {
    sendKey: string;
    issue: { id: number; title: string };
    audience: SendAudience;
    mail: SendMail;
    beginsAt: Date;
    now: Date;
  },
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

export async function findPreheader(db: Kysely<Database>, issueId: number): Promise<string | null> {
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
  db: Kysely<Database>,
  { id, reason = null }: { id: number; reason?: string | null },
): Promise<SteerResult> {
  return await steer(db, id, "pause", () => ({ state: "paused", pause_reason: reason }));
}

/** Pauses a send that can't go on by itself, and notifies the operator. */
export async function pauseForOperator(
  trx: Kysely<Database>,
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
export async function resumeSend(
  db: Kysely<Database>,
  id: number,
  now = new Date(),
): Promise<SteerResult> {
  return await steer(db, id, "resume", ({ begunAt, beginsAt }) => ({
    state: begunAt === null ? "waiting" : "sending",
    begins_at: begunAt === null && beginsAt < now.toISOString() ? now.toISOString() : beginsAt,
    pause_reason: null,
  }));
}

/** Ends a send for good: recipients not mailed yet don't get the issue. */
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

type Change = {
  state: SendState;
  begins_at?: string;
  pause_reason?: string | null;
  ended_at?: string;
};

async function steer(
  db: Kysely<Database>,
  id: number,
  event: "pause" | "resume" | "cancel",
  changeOf: (send: { begunAt: string | null; beginsAt: string }) => Change,
): Promise<SteerResult> {
  const send = await db
    .selectFrom("sends")
    .select(["state", "begun_at as begunAt", "begins_at as beginsAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!send) return { ok: false, reason: "unknown_send" };
  const change = changeOf(send);
  const result = await db
    .updateTable("sends")
    .set(change)
    .where("id", "=", id)
    .where("state", "in", sendStatesBefore[event])
    // The server may have begun it since it was read.
    .where("begun_at", send.begunAt === null ? "is" : "=", send.begunAt)
    .executeTakeFirst();
  if (result.numUpdatedRows > 0n) return { ok: true, state: change.state, withdrawn: 0 };
  return { ok: false, reason: "not_possible", state: send.state };
}

/** Ends a send that has no open rows. Returns whether it did. */
export async function finishSend(db: Kysely<Database>, id: number, now: Date): Promise<boolean> {
  const result = await db
    .updateTable("sends")
    .set({ state: "finished", ended_at: now.toISOString() })
    .where("id", "=", id)
    .where("state", "=", "sending")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("send_rows")
            .select("send_rows.id")
            .where("send_rows.send_id", "=", id)
            .where("send_rows.settled_at", "is", null),
        ),
      ),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Withdraws a cancelled send's mails that were under way, once they are back or their lease is over. */
export async function withdrawLeftOvers(db: Kysely<Database>, now: Date): Promise<void> {
  await db
    .updateTable("send_rows")
    .set({ state: rowTransitions.withdraw.to, settled_at: now.toISOString(), answer: "cancelled" })
    .where("settled_at", "is", null)
    .where("due_at", "<=", now.toISOString())
    .where("send_id", "in", (eb) =>
      eb.selectFrom("sends").select("sends.id").where("sends.state", "=", "cancelled"),
    )
    .execute();
}

const listMaxSends = 1_000;

type RowCounts = Record<RowState, number>;

export type SendListing = {
  id: number;
  issueId: number;
  title: string;
  audience: SendAudience;
  state: SendState;
  createdAt: string;
  beginsAt: string;
  begunAt: string | null;
  endedAt: string | null;
  pauseReason: string | null;
  counts: RowCounts;
};

/** One recipient's outcome; the address is null where the subscriber was erased. */
export type SendRowListing = {
  id: number;
  messageId: string;
  email: string | null;
  state: RowState;
  attempts: number;
  dueAt: string;
  settledAt: string | null;
  answer: string | null;
};

export function openRows({ waiting, handed_over, deferred }: RowCounts): number {
  return waiting + handed_over + deferred;
}

function sends(db: Kysely<Database>) {
  return db
    .selectFrom("sends")
    .select([
      "id",
      "issue_id as issueId",
      "title",
      "audience",
      "state",
      "created_at as createdAt",
      "begins_at as beginsAt",
      "begun_at as begunAt",
      "ended_at as endedAt",
      "pause_reason as pauseReason",
    ]);
}

export async function listSends(
  db: Kysely<Database>,
  { limit = 50, issueId }: { limit?: number; issueId?: number } = {},
): Promise<SendListing[]> {
  let query = sends(db).orderBy("id", "desc").limit(Math.min(limit, listMaxSends));
  if (issueId !== undefined) query = query.where("issue_id", "=", issueId);
  const found: SendListing[] = [];
  for (const send of await query.execute()) {
    found.push({ ...send, counts: await countRows(db, send.id) });
  }
  return found;
}

type FindSendResult = { ok: true; send: SendListing } | { ok: false; reason: "not_found" };

export async function findSend(db: Kysely<Database>, id: number): Promise<FindSendResult> {
  const send = await sends(db).where("id", "=", id).executeTakeFirst();
  if (!send) return { ok: false, reason: "not_found" };
  return { ok: true, send: { ...send, counts: await countRows(db, id) } };
}

async function countRows(db: Kysely<Database>, sendId: number): Promise<RowCounts> {
  const rows = await db
    .selectFrom("send_rows")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .where("send_id", "=", sendId)
    .groupBy("state")
    .execute();
  const counts = Object.fromEntries(rowStates.map((state) => [state, 0])) as RowCounts;
  for (const { state, count } of rows) counts[state] = Number(count);
  return counts;
}

export async function listSendRows(
  db: Kysely<Database>,
  {
    sendId,
    state,
    afterId = 0,
    limit = 500,
  }: { sendId: number; state?: RowState; afterId?: number; limit?: number },
): Promise<SendRowListing[]> {
  let query = db
    .selectFrom("send_rows as row")
    .innerJoin("sends", "sends.id", "row.send_id")
    .leftJoin("subscribers as subscriber", "subscriber.id", "row.reader_id")
    .select([
      "row.id",
      "sends.send_key as sendKey",
      "subscriber.email",
      "row.state",
      "row.attempts",
      "row.due_at as dueAt",
      "row.settled_at as settledAt",
      "row.answer",
      "row.message_id as kept",
    ])
    .where("row.send_id", "=", sendId)
    .where("row.id", ">", afterId)
    .orderBy("row.id")
    .limit(limit);
  if (state) query = query.where("row.state", "=", state);
  return (await query.execute()).map(({ sendKey, kept, ...row }) => ({
    ...row,
    messageId: rowMessageId(sendKey, { id: row.id, kept }),
  }));
}

/** Counts the confirmed subscribers, and those whose mail of the issue was neither accepted nor refused for good. */
export async function countAudience(
  db: Kysely<Database>,
  issueId: number,
): Promise<{ confirmed: number; withoutIssue: number }> {
  const count = async (isNew: boolean) => {
    let query = db
      .selectFrom("subscribers")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(isConfirmed);
    if (isNew) {
      query = query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("send_rows")
              .select("send_rows.id")
              .where("send_rows.issue_id", "=", issueId)
              .whereRef("send_rows.reader_id", "=", "subscribers.id")
              .where((row) => row.not(mayBeTakenOver(row))),
          ),
        ),
      );
    }
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  return { confirmed: await count(false), withoutIssue: await count(true) };
}
