import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database, SendAudience, SendState } from "#db/tables.ts";
import { rowTransitions, sendStatesBefore } from "./send-states.ts";

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

/** Resumes a paused send with its open rows. */
export async function resumeSend(db: Kysely<Database>, id: number): Promise<SteerResult> {
  return await steer(db, id, "resume", (begunAt) => ({
    state: begunAt === null ? "waiting" : "sending",
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
    // The server may have begun it since it was read.
    .where("begun_at", send.begun_at === null ? "is" : "=", send.begun_at)
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
