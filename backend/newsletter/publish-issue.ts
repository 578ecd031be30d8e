import type { Kysely } from "kysely";
import type { Database } from "#backend/database/tables.ts";
import { assertPublishDate } from "./publish-date.ts";

export type IssueWords = {
  title: string;
  /** HTML, a fragment or a full document. */
  html: string;
  /** `YYYY-MM-DD`. */
  publishDate: string;
};

/**
 * Publishes an issue as the newest and gives its id, which no issue has had before, a removed one included. Throws a
 * RangeError for a publish date of another form.
 */
export async function publishIssue(
  db: Kysely<Database>,
  { title, html, publishDate }: IssueWords,
): Promise<{ id: number }> {
  assertPublishDate(publishDate);
  return await db
    .insertInto("final_newsletters")
    .values({ title, content_markdown: html, publish_date: publishDate })
    .returning("id")
    .executeTakeFirstOrThrow();
}
