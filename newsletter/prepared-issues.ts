import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, Db } from "#db/tables.ts";
import type { PreparedBodyOf, StoredIssue } from "#issue-body/prepare-issue-body.ts";
import { indexIssue } from "./search-issues.ts";

/** Raise it when the rules of a body change, so that the next start prepares all issues again. */
const rulesVersion = 4;

function keyOf(contentMarkdown: string): string {
  return `${rulesVersion}:${createHash("sha256").update(contentMarkdown).digest("base64url")}`;
}

/** Reads the prepared body, or prepares it: another program may have written the issue. */
export function createPreparedBodies(db: Db): PreparedBodyOf {
  return async ({ id, content_markdown }) => {
    const stored = await db
      .selectFrom("prepared_issues")
      .select(["html", "plain_text as plainText"])
      .where("issue_id", "=", id)
      .where("body_key", "=", keyOf(content_markdown))
      .executeTakeFirst();
    return stored ?? (await prepareBody(content_markdown));
  };
}

type Unprepared = { id: number; title: string | null; content_markdown: string | null };

const unprepared = sql<Unprepared>`
  select id, title, content_markdown from final_newsletters where not exists (
    select 1 from prepared_issues where issue_id = final_newsletters.id
      and body_key like ${`${rulesVersion}:%`})
  order by id desc limit 1`;

/** Prepares and stores the issues that aren't yet, newest first, so that search finds them. */
export async function prepareIssues(db: Db): Promise<number> {
  let prepared = 0;
  while ((await unprepared.execute(db)).rows.length > 0) {
    await db.transaction().execute(async (trx) => {
      // Locked, so that it isn't changed or removed meanwhile.
      const locked = isPostgres(trx) ? sql<Unprepared>`${unprepared} for share` : unprepared;
      const [issue] = (await locked.execute(trx)).rows;
      if (!issue) return;
      // A table that another program made may hold NULLs.
      const { id, title, content_markdown } = issue;
      const stored = { id, title: title ?? "", content_markdown: content_markdown ?? "" };
      await storePrepared(trx, stored, await prepareBody(stored.content_markdown));
      prepared += 1;
    });
  }
  return prepared;
}

export type PreparedBody = { html: string; plainText: string };

/** The sanitiser and its parsers take 10 MB, and are needed for an issue that isn't prepared yet. */
export async function prepareBody(contentMarkdown: string): Promise<PreparedBody> {
  const { prepareIssueBody } = await import("#issue-body/prepare-issue-body.ts");
  return prepareIssueBody(contentMarkdown);
}

export async function storePrepared(
  trx: Transaction<Database>,
  { id, title, content_markdown }: StoredIssue,
  body: PreparedBody,
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
