import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";
import { assertPublishDate, type IssueWords } from "./issues.ts";
import { prepareInTransaction } from "./prepared-issues.ts";

export type ImportedPost = IssueWords & {
  /** The program and the post's own name there, such as `substack:1234`. */
  source: string;
  /** Its part of the address there. */
  slug: string;
};

/** The issues that posts have become, by their source. One that was removed since may come again. */
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
 * Publishes posts of another program's archive in the order given, each with its source in one transaction, so that an
 * import that was interrupted goes on where it was when it is run again. Answers how many; those that are there already
 * stay as they are. Throws a RangeError for a date of another form.
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
