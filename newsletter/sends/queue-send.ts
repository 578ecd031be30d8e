import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { SendAudience } from "./send-states.ts";

/** The mail of an issue as every reader gets it, with {@link tokenPlaceholderOf} where their own link goes. */
type SendMail = { subject: string; html: string; text: string };

type QueueSendResult =
  | { ok: true; id: number }
  /** A send of the issue is waiting, under way or paused. */
  | { ok: false; reason: "send_open"; openId: number };

/** Unguessable: a send's Message-IDs and the placeholder of a reader's token are made of it. */
export function newSendKey(): string {
  return randomUUID();
}

/** Stands in a send's mail for a reader's own token; nobody can have written it into an issue. */
export function tokenPlaceholderOf(sendKey: string): string {
  return `reader-${sendKey}`;
}

/** Writes a send down; a running server begins it when its time has come. */
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
      // Two who ask at once: the index lets one through.
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

/** The preheader that an issue's file gave; null where it gave none. */
export async function findPreheader(db: Kysely<Database>, issueId: number): Promise<string | null> {
  const row = await db
    .selectFrom("issue_preheaders")
    .select("preheader")
    .where("issue_id", "=", issueId)
    .executeTakeFirst();
  return row?.preheader ?? null;
}
