import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { ListedIssue } from "./list-issues.ts";

export type FoundIssue = ListedIssue & { html: string };

type FindIssueResult = { ok: true; issue: FoundIssue } | { ok: false; reason: "not_found" };

/** One issue with its body and its number, by id. */
export async function findIssue(db: Kysely<Database>, id: number): Promise<FindIssueResult> {
  if (!Number.isSafeInteger(id)) {
    return { ok: false, reason: "not_found" };
  }
  const issue = await db
    .selectFrom("final_newsletters as issue")
    .select(({ selectFrom }) => [
      "issue.id",
      "issue.title",
      "issue.content_markdown as html",
      "issue.publish_date as publishDate",
      selectFrom("final_newsletters as other")
        .select(({ fn }) => fn.countAll<number>().as("number"))
        .whereRef("other.id", "<=", "issue.id")
        .as("number"),
    ])
    .where("issue.id", "=", id)
    .executeTakeFirst();
  return issue === undefined
    ? { ok: false, reason: "not_found" }
    : { ok: true, issue: { ...issue, number: issue.number ?? 0 } };
}

/** Ids below the new one among which the same title is looked for. */
const recentIssues = 100;

/** The id of the newest other issue with that title, most likely the same file published twice; null where none. */
export async function findSameTitle(
  db: Kysely<Database>,
  { id, title }: { id: number; title: string },
): Promise<number | null> {
  const row = await db
    .selectFrom("final_newsletters")
    .select("id")
    .where("title", "=", title)
    .where("id", "!=", id)
    .where("id", ">", id - recentIssues)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
