import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { IssueWords } from "./publish-issue.ts";

const markName = "starter-issues";

type SeedResult = { ok: true; inserted: number } | { ok: false; reason: "already_seeded" };

/**
 * Gives a new database its first issues, in publishing order, once in its life: the mark that says so is written in the
 * same transaction. A table that already holds issues gets the mark and nothing else, and starter issues that the
 * operator has removed stay away. `now` is when the mark is set. For the embedded database; who calls it sees to that.
 */
export async function seedStarterIssues(
  db: Kysely<Database>,
  issues: readonly IssueWords[],
  now: Date,
): Promise<SeedResult> {
  return await db.transaction().execute(async (trx): Promise<SeedResult> => {
    const mark = await trx
      .insertInto("marks")
      .values({ name: markName, set_at: now.toISOString() })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    if (mark === undefined) {
      return { ok: false, reason: "already_seeded" };
    }
    const present = await trx
      .selectFrom("final_newsletters")
      .select("id")
      .limit(1)
      .executeTakeFirst();
    if (present !== undefined || issues.length === 0) {
      return { ok: true, inserted: 0 };
    }
    await trx
      .insertInto("final_newsletters")
      .values(
        issues.map(({ title, html, publishDate }) => ({
          title,
          content_markdown: html,
          publish_date: publishDate,
        })),
      )
      .execute();
    return { ok: true, inserted: issues.length };
  });
}
