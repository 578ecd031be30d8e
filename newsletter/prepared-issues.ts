import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, Db } from "#db/tables.ts";

/** Raise it when the rules change; the next start prepares all issues again. */
const rulesVersion = 7;

function keyOf(contentMarkdown: string): string {
  return `${rulesVersion}:${createHash("sha256").update(contentMarkdown).digest("base64url")}`;
}

const isCurrent = sql<boolean>`body_key like ${sql.lit(`${rulesVersion}:%`)}`;

export async function readBodyKeys(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("prepared_issues")
    .select(["issue_id", "body_key"])
    .where(isCurrent)
    .execute();
  return new Map(rows.map(({ issue_id, body_key }) => [issue_id, body_key]));
}

export async function readPlainTexts(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom("prepared_issues")
    .select(["issue_id", "plain_text"])
    .where("issue_id", "in", ids)
    .where(isCurrent)
    .execute();
  const texts = new Map(rows.map(({ issue_id, plain_text }) => [issue_id, plain_text]));
  for (const id of ids.filter((id) => !texts.has(id)))
    texts.set(id, (await readPreparedBody(db, id))?.plainText ?? "");
  return texts;
}

export async function readPreparedBody(db: Db, id: number): Promise<PreparedBody | null> {
  const stored = await db
    .selectFrom("prepared_issues")
    .select(["html", "plain_text as plainText"])
    .where("issue_id", "=", id)
    .where(isCurrent)
    .executeTakeFirst();
  if (stored) return stored;
  return await db.transaction().execute(async (trx) => {
    const issue = await trx
      .selectFrom("final_newsletters")
      .select("content_markdown")
      .where("id", "=", id)
      .$if(isPostgres(trx), (query) => query.forShare())
      .executeTakeFirst();
    if (!issue) return null;
    // A table that another program made may hold NULLs.
    const html = issue.content_markdown ?? "";
    const body = await prepareBody(html);
    await storePrepared(trx, { id, content_markdown: html }, body);
    return { html: body.html, plainText: body.plainText };
  });
}

export type PreparedBody = { html: string; plainText: string };

/** The sanitiser and its parsers take 10 MB, so they load late. */
export async function prepareBody(contentMarkdown: string): Promise<PreparedBody> {
  const { prepareIssueBody } = await import("#issue-body/prepare-issue-body.ts");
  return prepareIssueBody(contentMarkdown);
}

export async function storePrepared(
  trx: Transaction<Database>,
  { id, content_markdown }: { id: number; content_markdown: string },
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
}
