import { type Kysely, sql } from "kysely";
import type { Database } from "#backend/database/tables.ts";

/** Most issues listed at once: a weekly newsletter of two centuries. */
const maxListedIssues = 10_000;

export type ListedIssue = {
  id: number;
  /** Its position counted from the oldest, by id (specification, section 3). */
  number: number;
  title: string;
  publishDate: string;
};

/** Every issue without its body, newest first. */
export async function listIssues(db: Kysely<Database>): Promise<ListedIssue[]> {
  return await db
    .selectFrom("final_newsletters")
    .select([
      "id",
      sql<number>`row_number() over (order by id)`.as("number"),
      "title",
      "publish_date as publishDate",
    ])
    .orderBy("id", "desc")
    .limit(maxListedIssues)
    .execute();
}
