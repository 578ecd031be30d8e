import type { Kysely } from "kysely";
import type { Database } from "#backend/database/tables.ts";
import type { ListedIssue } from "./list-issues.ts";

export type FoundIssue = ListedIssue & { html: string };

export type FindIssueResult = { ok: true; issue: FoundIssue } | { ok: false; reason: "not_found" };

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
