import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../../database/tables.ts";
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

/** Whether another send of the issue may have the row: the mail was never in anybody's hands, so it can't have arrived. */
export function isUntried(eb: ExpressionBuilder<Database, "send_rows">) {
  return eb.and([
    eb("send_rows.state", "in", rowTransitions["take over"].from),
    eb("send_rows.attempts", "=", 0),
  ]);
}
