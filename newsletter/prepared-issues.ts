import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { type IssueQuery, maxFoundIssues } from "#contracts/ports.ts";
import { foldWord } from "#contracts/text.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, Db } from "#db/tables.ts";
import type { PreparedBodyOf, StoredIssue } from "#issue-body/prepare-issue-body.ts";

/** Raise it when the rules of a body change, so that the next start prepares all issues again. */
const rulesVersion = 7;

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

function unprepared({ but = [], limit }: { but?: readonly number[]; limit: number }) {
  return sql<Unprepared>`
    select id, title, content_markdown from final_newsletters where not exists (
      select 1 from prepared_issues where issue_id = final_newsletters.id
        and body_key like ${`${rulesVersion}:%`})
      and id not in (${sql.join([0, ...but])})
    order by id desc limit ${sql.lit(limit)}`;
}

/** Issues that search leaves out, because they couldn't be prepared or haven't been yet. */
export async function listUnpreparedIssues(db: Db): Promise<{ id: number; title: string }[]> {
  const { rows } = await unprepared({ limit: 20 }).execute(db);
  return rows.map(({ id, title }) => ({ id, title: title ?? "" }));
}

/**
 * Prepares and stores the issues that aren't yet, newest first, so that search finds them. Leaves out those that can't
 * be stored, and returns an error that names each.
 */
export async function prepareIssues(db: Db): Promise<Error[]> {
  const failed: number[] = [];
  const failures: Error[] = [];
  while ((await unprepared({ but: failed, limit: 1 }).execute(db)).rows.length > 0) {
    let issue: Unprepared | undefined;
    try {
      await db.transaction().execute(async (trx) => {
        const next = unprepared({ but: failed, limit: 1 });
        // Locked, so that it isn't changed or removed meanwhile.
        const locked = isPostgres(trx) ? sql<Unprepared>`${next} for share` : next;
        [issue] = (await locked.execute(trx)).rows;
        if (!issue) return;
        // A table that another program made may hold NULLs.
        const { id, title, content_markdown } = issue;
        const stored = { id, title: title ?? "", content_markdown: content_markdown ?? "" };
        await storePrepared(trx, stored, await prepareBody(stored.content_markdown));
      });
    } catch (cause) {
      // Without an issue, the database has failed and not a body.
      if (!issue) throw cause;
      failed.push(issue.id);
      const message = `Issue ${issue.id} can't be prepared, so search leaves it out.`;
      failures.push(new Error(message, { cause }));
    }
  }
  return failures;
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

/** In characters. What follows in a body isn't searched. */
const searchedMaxLength = 40_000;

/** Indexes an issue in the transaction that stores its prepared body. */
async function indexIssue(
  trx: Db,
  { id, title, plainText }: { id: number; title: string; plainText: string },
): Promise<void> {
  const words = {
    title: indexedText(title),
    body: indexedText(plainText.slice(0, searchedMaxLength)),
  };
  if (isPostgres(trx)) {
    // Folded here: the extension for accents may be missing, and the parser reads "Realtor.ca" as a host, which
    // neither word would find.
    const plain = (text: string) => foldWord(text).replace(/[^\p{L}\p{N}]+/gu, " ");
    await sql`update prepared_issues set words =
        setweight(to_tsvector('english', ${plain(words.title)}::text), 'A')
        || to_tsvector('english', ${plain(words.body)}::text)
      where issue_id = ${id}`.execute(trx);
    return;
  }
  await sql`delete from issue_search where rowid = ${id}`.execute(trx);
  await sql`insert into issue_search (rowid, title, body)
    values (${id}, ${words.title}, ${words.body})`.execute(trx);
}

function indexedText(text: string): string {
  return text.normalize("NFC").replaceAll("\0", "");
}

/** Ids of issues with the words, or with words that begin with them, in the database's ranking. */
export async function findIssues(db: Db, query: IssueQuery): Promise<number[]> {
  if (query.words.length === 0) return [];
  const found = isPostgres(db)
    ? sql<{ id: number }>`
      select issue_id as id from prepared_issues, to_tsquery('english', ${tsqueryOf(query)}::text) as query
      where words @@ query
      order by ts_rank(words, query) desc, issue_id desc limit ${maxFoundIssues}`
    : sql<{ id: number }>`
      select rowid as id from issue_search where issue_search match ${matchOf(query)}
      order by bm25(issue_search, 10.0, 1.0), rowid desc limit ${maxFoundIssues}`;
  const { rows } = await found.execute(db);
  return rows.map(({ id }) => id);
}

export async function readPlainTexts(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("prepared_issues")
    .select("issue_id as id")
    .select(sql<string>`substr(plain_text, 1, ${sql.lit(searchedMaxLength)})`.as("text"))
    .where("issue_id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** Quoted, so that no word is an operator of FTS5. */
function matchOf({ words, combine }: IssueQuery): string {
  return words
    .map(({ word, isPrefix }) => `"${word}"${isPrefix ? "*" : ""}`)
    .join(combine === "all" ? " AND " : " OR ");
}

function tsqueryOf({ words, combine }: IssueQuery): string {
  return words
    .map(({ word, isPrefix }) => `'${word}'${isPrefix ? ":*" : ""}`)
    .join(combine === "all" ? " & " : " | ");
}
