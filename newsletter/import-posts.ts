import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";
import { assertPublishDate, type IssueWords } from "./issues.ts";
import { prepareInTransaction } from "./prepared-issues.ts";

export type ImportedPost = IssueWords & {
  /** The program and its id of the post, such as `substack:1234`. */
  source: string;
  slug: string;
};

/** Issue ids by the source of their post. A removed issue's post may come again. */
export async function findImportedPosts(
  db: Kysely<Database>,
  sources: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks(sources)) {
    const rows = await db
      .selectFrom("imported_posts")
      .innerJoin("final_newsletters", "final_newsletters.id", "imported_posts.issue_id")
      .select(["source", "issue_id"])
      .where("source", "in", some)
      .execute();
    for (const { source, issue_id } of rows) found.set(source, issue_id);
  }
  return found;
}

/**
 * Publishes the posts of an export in order, each in its own transaction with its source, so that an interrupted import
 * can be run again. Posts already imported are skipped. Throws a RangeError for an invalid date.
 */
export async function importPosts(
  db: Kysely<Database>,
  posts: AsyncIterable<ImportedPost>,
): Promise<number> {
  let imported = 0;
  for await (const { source, slug, title, html, publishDate } of posts) {
    assertPublishDate(publishDate);
    const isNew = await db.transaction().execute(async (trx) => {
      if ((await findImportedPosts(trx, [source])).size > 0) return false;
      const { id } = await trx
        .insertInto("final_newsletters")
        .values({ title, content_markdown: html, publish_date: publishDate })
        .returning("id")
        .executeTakeFirstOrThrow();
      await trx
        .insertInto("imported_posts")
        .values({ source, slug, issue_id: id })
        .onConflict((conflict) => conflict.column("source").doUpdateSet({ slug, issue_id: id }))
        .execute();
      await prepareInTransaction(trx, { id, title, content_markdown: html });
      return true;
    });
    if (isNew) imported += 1;
  }
  return imported;
}
