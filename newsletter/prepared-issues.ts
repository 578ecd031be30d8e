import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database } from "#db/tables.ts";
import {
  type PreparedBodyOf,
  prepareIssueBody,
  type ShownBody,
  type StoredIssue,
} from "#issue-body/prepare-issue-body.ts";
import { indexIssue } from "./search-issues.ts";

/** Raise it when the rules of a body change, so that the next start prepares all issues again. */
const rulesVersion = 3;

function keyOf(contentMarkdown: string): string {
  return `${rulesVersion}:${createHash("sha256").update(contentMarkdown).digest("base64url")}`;
}

/**
 * Reads the prepared body, or prepares and stores it: another program may have written the issue. It is shown even if
 * it can't be stored.
 */
export function createPreparedBodies(
  db: Kysely<Database>,
  reportError: (error: unknown) => void,
): PreparedBodyOf {
  return async (issue) => {
    const stored = await db
      .selectFrom("prepared_issues")
      .select(["html", "plain_text as plainText"])
      .where("issue_id", "=", issue.id)
      .where("body_key", "=", keyOf(issue.content_markdown))
      .executeTakeFirst();
    if (stored) return stored;
    const body = prepareIssueBody(issue.content_markdown);
    await storePrepared(db, issue, body).catch(reportError);
    return body;
  };
}

/** Prepares the issues that aren't yet, newest first, so that search finds them. */
export async function prepareIssues(db: Kysely<Database>): Promise<number> {
  let prepared = 0;
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const issue = await nextUnprepared(db, below);
    if (!issue) return prepared;
    await storePrepared(db, issue, prepareIssueBody(issue.content_markdown));
    below = issue.id;
    prepared += 1;
  }
}

export async function prepareInTransaction(
  trx: Transaction<Database>,
  issue: StoredIssue,
): Promise<void> {
  await save(trx, issue, prepareIssueBody(issue.content_markdown));
}

async function nextUnprepared(db: Kysely<Database>, below: number): Promise<StoredIssue | null> {
  const row = await db
    .selectFrom("final_newsletters as issue")
    .leftJoin("prepared_issues as prepared", (join) =>
      join
        .onRef("prepared.issue_id", "=", "issue.id")
        .on("prepared.body_key", "like", `${rulesVersion}:%`),
    )
    .select(["issue.id", "issue.title", "issue.content_markdown"])
    .where("prepared.issue_id", "is", null)
    .where("issue.id", "<", below)
    .orderBy("issue.id", "desc")
    .limit(1)
    .executeTakeFirst();
  // A table that another program made may hold NULLs.
  return row
    ? { id: row.id, title: row.title ?? "", content_markdown: row.content_markdown ?? "" }
    : null;
}

/** Stores nothing where the issue was changed or removed since it was read. */
async function storePrepared(
  db: Kysely<Database>,
  issue: StoredIssue,
  body: ShownBody,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const isUnchanged = await trx
      .selectFrom("final_newsletters")
      .select("id")
      .where("id", "=", issue.id)
      .where(({ fn, val }) => fn.coalesce("title", val("")), "=", issue.title)
      .where(({ fn, val }) => fn.coalesce("content_markdown", val("")), "=", issue.content_markdown)
      .$if(isPostgres(trx), (select) => select.forShare())
      .executeTakeFirst();
    if (isUnchanged) await save(trx, issue, body);
  });
}

async function save(
  trx: Transaction<Database>,
  { id, title, content_markdown }: StoredIssue,
  body: ShownBody,
): Promise<void> {
  // PostgreSQL's text can't hold NUL.
  const row = {
    issue_id: id,
    body_key: keyOf(content_markdown),
    html: body.html.replaceAll("\0", ""),
    plain_text: body.plainText.replaceAll("\0", ""),
  };
  await trx
    .insertInto("prepared_issues")
    .values(row)
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(row))
    .execute();
  await indexIssue(trx, { id, title, plainText: row.plain_text });
}
