import { sql } from "kysely";
import { type IssueQuery, maxFoundIssues } from "#contracts/ports.ts";
import { foldWord } from "#contracts/text.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Db } from "#db/tables.ts";

/** In characters. What follows in a body isn't searched. */
const searchedMaxLength = 40_000;

/** Indexes an issue in the transaction that stores its prepared body. */
export async function indexIssue(
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
