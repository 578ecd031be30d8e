import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { ShownBody } from "#issue-body/prepared-bodies.ts";
import { preparedBodyKey } from "#issue-body/rules-version.ts";
import { assertPublishDate } from "./publish-date.ts";
import { savePreparedIssue } from "./save-prepared-issue.ts";

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
 * Publishes an issue as the newest and gives its id, which no issue has had before, a removed one included. What its page
 * shows is kept with it, where the caller has prepared it. Throws a RangeError for a publish date of another form.
 */
export async function publishIssue(
  db: Kysely<Database>,
  { title, html, publishDate, preheader = null }: IssueWords,
  prepared: ShownBody | null = null,
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
    if (prepared) await savePreparedIssue(trx, { id, title }, preparedBodyKey(html), prepared);
    return { id };
  });
}
