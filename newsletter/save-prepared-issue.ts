import { setImmediate as nextRound } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { indexedWords } from "#contracts/search-words.ts";
import { chunks } from "#db/chunks.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import type { ShownBody, StoredIssue } from "#issue-body/prepared-bodies.ts";

/** Of a longer issue the beginning is searched, in UTF-16 code units. */
export const searchedMaxLength = 40_000;

/** Ids that have one word for their age. */
const idsOfAge = 256;

/**
 * A word on PostgreSQL for how new an issue is, which is none of any text: those have letters and digits alone. The newest
 * issues that have another word are found by both.
 */
export function ageWord(id: number): string {
  return `#${Math.floor(id / idsOfAge)}`;
}

/** The words of the newest ages, up to that of the newest issue. */
export function newestAgeWords(newestId: number, ages: number): string[] {
  return Array.from({ length: ages }, (_, age) => ageWord(newestId - age * idsOfAge));
}

/** Words in one statement. */
const wordsAtOnce = 200;

/**
 * Whether an issue is stored with that title and body; it stays so until the caller's transaction ends. What was prepared
 * of others is not to be kept: who changed or removed the issue meanwhile has seen to it that nothing of it is left.
 */
export async function isStoredSo(
  trx: Kysely<Database>,
  { id, title, content_markdown }: StoredIssue,
): Promise<boolean> {
  const issue = await trx
    .selectFrom("final_newsletters")
    .select("id")
    .where("id", "=", id)
    .where(({ fn, val }) => fn.coalesce("title", val("")), "=", title)
    .where(({ fn, val }) => fn.coalesce("content_markdown", val("")), "=", content_markdown)
    .$if(isPostgres(trx), (select) => select.forShare())
    .executeTakeFirst();
  return issue !== undefined;
}

/**
 * Keeps what a page shows of an issue, and the words that search finds it by, in the caller's transaction, which sees to
 * it that the issue has that body. SQLite runs in this thread, so visitors are served between any two statements.
 */
export async function savePreparedIssue(
  trx: Kysely<Database>,
  { id, title }: Pick<StoredIssue, "id" | "title">,
  bodyKey: string,
  { html, plainText }: ShownBody,
): Promise<void> {
  // PostgreSQL's text can't hold the character that ends a text in C.
  const row = {
    issue_id: id,
    body_key: bodyKey,
    html: html.replaceAll("\0", ""),
    plain_text: plainText.replaceAll("\0", ""),
  };
  const words = {
    title: indexedWords(title).join(" "),
    body: indexedWords(plainText.slice(0, searchedMaxLength)).join(" "),
  };
  await nextRound();
  if (isPostgres(trx)) await saveOnPostgres(trx, row, words);
  else await saveOnSqlite(trx, row, words);
  await saveWords(trx, new Set([...words.title.split(" "), ...words.body.split(" ")]));
  await trx.deleteFrom("issues_to_prepare").where("issue_id", "=", id).execute();
}

type Row = Database["prepared_issues"];
type Words = { title: string; body: string };

async function saveOnPostgres(trx: Kysely<Database>, row: Row, words: Words): Promise<void> {
  const { issue_id, body_key, html, plain_text } = row;
  // A vector holds at most a megabyte; titles weigh more, so that they can be asked for alone.
  await sql`
    insert into prepared_issues (issue_id, body_key, html, plain_text, words)
    values (${issue_id}, ${body_key}, ${html}, ${plain_text},
      setweight(to_tsvector('simple', ${words.title}::text), 'A')
        || to_tsvector('simple', ${words.body}::text)
        || array_to_tsvector(array[${ageWord(issue_id)}::text]))
    on conflict (issue_id) do update set body_key = excluded.body_key, html = excluded.html,
      plain_text = excluded.plain_text, words = excluded.words`.execute(trx);
}

async function saveOnSqlite(trx: Kysely<Database>, row: Row, words: Words): Promise<void> {
  await trx
    .insertInto("prepared_issues")
    .values(row)
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(row))
    .execute();
  await nextRound();
  await sql`insert or replace into prepared_issue_words (rowid, title, body)
    values (${row.issue_id}, ${words.title}, ${words.body})`.execute(trx);
  await sql`insert or replace into prepared_issue_titles (rowid, title)
    values (${row.issue_id}, ${words.title})`.execute(trx);
}

async function saveWords(trx: Kysely<Database>, words: ReadonlySet<string>): Promise<void> {
  // In order, so that two who save at once wait for each other and never for ever.
  const rows = [...words]
    .filter((word) => word !== "")
    .toSorted()
    .map((word) => ({ word }));
  for (const some of chunks(rows, wordsAtOnce)) {
    await nextRound();
    await trx
      .insertInto("search_words")
      .values(some)
      .onConflict((conflict) => conflict.column("word").doNothing())
      .execute();
  }
  // The commit that follows waits for the disk.
  await nextRound();
}
