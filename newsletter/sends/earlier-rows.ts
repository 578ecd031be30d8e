import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type { Database } from "#db/tables.ts";
import { rowTransitions } from "./row-states.ts";

/**
 * Whether a reader was sent an issue at an address of theirs before this one, however many changes ago. Asked once for
 * all readers; a pair stands in it once, so that who has gone back and forth doesn't make it endless.
 */
export function wasSentAtFormerAddress(issueId: number) {
  return sql<SqlBool>`subscribers.id in (
    with recursive former (reader_id, former_id) as (
      select id, moved_from_id from subscribers where moved_from_id is not null
      union
      select former.reader_id, earlier.moved_from_id from former
        join subscribers as earlier on earlier.id = former.former_id
        where earlier.moved_from_id is not null
    )
    select former.reader_id from former
      join send_rows on send_rows.reader_id = former.former_id
      where send_rows.issue_id = ${issueId} and send_rows.state = 'accepted'
  )`;
}

/** Whether another send of the issue may have the row: no server has taken the mail or refused it for good. */
export function mayBeTakenOver(eb: ExpressionBuilder<Database, "send_rows">) {
  return eb("send_rows.state", "in", rowTransitions["take over"].from);
}

/**
 * Whether a mail of the issue is in somebody's hands still, by a send that was cancelled: it's taken, or withdrawn, within
 * the lease.
 */
export async function hasOpenRows(
  trx: Kysely<Database>,
  { issueId, exceptSend }: { issueId: number; exceptSend: number },
): Promise<boolean> {
  const row = await trx
    .selectFrom("sends")
    .innerJoin("send_rows", "send_rows.send_id", "sends.id")
    .select("send_rows.id")
    .where("sends.issue_id", "=", issueId)
    .where("sends.id", "!=", exceptSend)
    .where("send_rows.settled_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The left side of a mail's Message-ID: the same at every attempt for a reader, by whichever send, and of no other mail.
 * `kept`: what it was in the send before.
 */
export function rowMessageId(sendKey: string, { id, kept }: { id: number; kept: string | null }) {
  return kept ?? `${sendKey}.${id}`;
}

/** The same in a statement, of the row that it changes. */
export const messageIdOfRow = sql<string>`coalesce(send_rows.message_id,
  (select sends.send_key from sends where sends.id = send_rows.send_id) || '.' || send_rows.id)`;
