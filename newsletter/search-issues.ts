import { type RawBuilder, sql } from "kysely";
import { foldWord, isPrefix } from "#contracts/issue.ts";
import { type HighlightedText, type IssueQuery, maxFoundIssues } from "#contracts/ports.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Db } from "#db/tables.ts";

const searchedMaxLength = 40_000;

/** About three lines. */
const excerptWords = 36;

/** Mark a match. No indexed text contains them. */
const [opening, closing] = ["\u0001", "\u0002"];

/** Replaces `<` while PostgreSQL highlights, which would drop what looks like a tag. */
const lessThan = "\u0003";

type Found = { id: number; isInTitle: boolean; title: HighlightedText };

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
    // Folded here: the extension for accents may be missing, and the parser takes "Realtor.ca" for a host, which
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
  return text.normalize("NFC").replaceAll(/[\u0000-\u0003]/g, "");
}

/** Issues with the words, or with words that begin with them, in the database's ranking. */
export async function findIssues(db: Db, query: IssueQuery): Promise<Found[]> {
  if (query.words.length === 0) return [];
  const { rows } = await (isPostgres(db) ? onPostgres(query) : onSqlite(query)).execute(db);
  return rows.map(({ id, title }) => {
    const highlighted = parseHighlights(title);
    const found = new Set(highlighted.filter((_, part) => part % 2 === 1).map(foldWord));
    return { id, title: highlighted, isInTitle: found.size >= query.words.length };
  });
}

type Row = { id: number; title: string };

function onSqlite(query: IssueQuery): RawBuilder<Row> {
  return sql<Row>`
    select rowid as id, highlight(issue_search, 0, ${opening}, ${closing}) as title
    from issue_search where issue_search match ${matchOf(query)}
    order by bm25(issue_search, 10.0, 1.0), rowid desc limit ${maxFoundIssues}`;
}

function onPostgres(query: IssueQuery): RawBuilder<Row> {
  return sql<Row>`
    select issue_id as id, ${headline(sql.ref("title"), "HighlightAll=true")} as title
    from prepared_issues
      join final_newsletters on final_newsletters.id = prepared_issues.issue_id,
      to_tsquery('english', ${tsqueryOf(query)}::text) as query
    where words @@ query
    order by ts_rank(words, query) desc, issue_id desc limit ${maxFoundIssues}`;
}

/** The passage of each issue with the most matches. */
export async function excerptIssues(
  db: Db,
  query: IssueQuery,
  ids: readonly number[],
): Promise<ReadonlyMap<number, HighlightedText>> {
  if (ids.length === 0) return new Map();
  const those = sql.join(ids);
  const bounds = `MaxFragments=1, MaxWords=${excerptWords}, MinWords=${excerptWords / 2}, FragmentDelimiter=" … "`;
  const excerpts = isPostgres(db)
    ? sql<{ id: number; excerpt: string }>`
      select issue_id as id,
        ${headline(sql`left(plain_text, ${sql.lit(searchedMaxLength)})`, bounds)} as excerpt
      from prepared_issues, to_tsquery('english', ${tsqueryOf(query)}::text) as query
      where issue_id in (${those})`
    : sql<{ id: number; excerpt: string }>`
      select rowid as id,
        snippet(issue_search, 1, ${opening}, ${closing}, '…', ${excerptWords}) as excerpt
      from issue_search where issue_search match ${matchOf(query)} and rowid in (${those})`;
  const { rows } = await excerpts.execute(db);
  return new Map(rows.map(({ id, excerpt }) => [id, parseHighlights(excerpt)]));
}

function headline(text: RawBuilder<unknown>, options: string): RawBuilder<string> {
  const all = `StartSel=${opening}, StopSel=${closing}, ${options}`;
  return sql<string>`replace(
    ts_headline('english', translate(${text}, ${`<${opening}${closing}`}, ${lessThan}), query, ${all}),
    ${lessThan}, '<')`;
}

/** Quoted, so that no word is an operator of FTS5. */
function matchOf({ words, combine }: IssueQuery): string {
  return words
    .map((word) => `"${word}"${isPrefix(word) ? "*" : ""}`)
    .join(combine === "all" ? " AND " : " OR ");
}

function tsqueryOf({ words, combine }: IssueQuery): string {
  return words
    .map((word) => `'${word}'${isPrefix(word) ? ":*" : ""}`)
    .join(combine === "all" ? " & " : " | ");
}

function parseHighlights(text: string): HighlightedText {
  return text.replace(/\s+/g, " ").split(/[\u0001\u0002]/);
}
