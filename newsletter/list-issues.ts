import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** Most issues listed at once. */
const listMaxIssues = 10_000;

export type ListedIssue = {
  id: number;
  /** Its position counted from the oldest, by id (specification, section 3). */
  number: number;
  title: string;
  publishDate: string;
};

/**
 * The newest issues without their bodies, newest first; with `before`, those that are older than the issue of that id.
 * However many there are, so many rows are read, and counted by their ids.
 */
export async function listIssues(
  db: Kysely<Database>,
  { limit = listMaxIssues, before }: { limit?: number; before?: number } = {},
): Promise<ListedIssue[]> {
  const heads = db
    .selectFrom("final_newsletters")
    .select(["id", "title", "publish_date as publishDate"])
    .orderBy("id", "desc")
    .limit(Math.min(limit, listMaxIssues));
  const rows = await (before === undefined ? heads : heads.where("id", "<", before)).execute();
  const [newest] = rows;
  if (!newest) return [];
  const { count } = await db
    .selectFrom("final_newsletters")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("id", "<=", newest.id)
    .executeTakeFirstOrThrow();
  return rows.map((row, index) => ({ ...row, number: count - index }));
}
