import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { prepareInTransaction } from "./prepared-issues.ts";
import { assertPublishDate } from "./publish-date.ts";

export type IssueWords = {
  title: string;
  /** HTML, a fragment or a full document. */
  html: string;
  /** `YYYY-MM-DD`. */
  publishDate: string;
  /** The line that mail programs show beside the subject, where the file gave one. */
  preheader?: string | null;
};

/**
 * Publishes an issue as the newest and returns its id, which no issue has had before, not even a removed one. Throws a
 * RangeError for a publish date of another form.
 */
export async function publishIssue(
  db: Kysely<Database>,
  { title, html, publishDate, preheader = null }: IssueWords,
): Promise<{ id: number }> {
  assertPublishDate(publishDate);
  return await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto("final_newsletters")
      .values({ title, content_markdown: html, publish_date: publishDate })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (preheader) {
      await trx.insertInto("issue_preheaders").values({ issue_id: id, preheader }).execute();
    }
    await prepareInTransaction(trx, { id, title, content_markdown: html });
    return { id };
  });
}
