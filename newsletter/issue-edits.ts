import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** When issues were last changed, as ISO times by their ids: those that were, after they had been stored. */
export async function readIssueEdits(db: Kysely<Database>): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom("issue_edits").selectAll().execute();
  return new Map(rows.map(({ issue_id, edited_at }) => [issue_id, edited_at]));
}
