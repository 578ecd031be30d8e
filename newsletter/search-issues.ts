import { type Kysely, type RawBuilder, sql } from "kysely";
import { type IssueQuery, type IssueSearch, maxFoundIssues } from "#contracts/issue-search.ts";
import { indexedWords } from "#contracts/search-words.ts";
import { chunks } from "#db/chunks.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import { withoutPlans } from "#db/without-plans.ts";
import type { ReadArchive } from "./archive-reads.ts";
import { closestOf } from "./closest-words.ts";

/** Only the beginning of a longer issue is searched, in UTF-16 code units. */
const searchedMaxLength = 40_000;

/** Ids that have one word for their age. */
const idsOfAge = 256;

/** A word on PostgreSQL for how new an issue is, which is in no text. */
function ageWord(id: number): string {
  return `#${Math.floor(id / idsOfAge)}`;
}

/** The words of the newest ages, up to that of the newest issue. */
function newestAgeWords(newestId: number, ages: number): string[] {
  return Array.from({ length: ages }, (_, age) => ageWord(newestId - age * idsOfAge));
}

/** Words in one statement. */
const wordsAtOnce = 200;

/** Puts an issue's words into the index, in the transaction that stores its prepared body. */
export async function indexIssue(
  trx: Kysely<Database>,
  { id, title, plainText }: { id: number; title: string; plainText: string },
): Promise<void> {
  const words = {
    title: indexedWords(title).join(" "),
    body: indexedWords(plainText.slice(0, searchedMaxLength)).join(" "),
  };
  if (isPostgres(trx)) {
    // A vector holds at most a megabyte; titles weigh more, so that they can be asked for alone.
    await sql`update prepared_issues set words =
      setweight(to_tsvector('simple', ${words.title}::text), 'A')
        || to_tsvector('simple', ${words.body}::text)
        || array_to_tsvector(array[${ageWord(id)}::text])
      where issue_id = ${id}`.execute(trx);
  } else {
    await sql`insert or replace into prepared_issue_words (rowid, title, body)
      values (${id}, ${words.title}, ${words.body})`.execute(trx);
    await sql`insert or replace into prepared_issue_titles (rowid, title)
      values (${id}, ${words.title})`.execute(trx);
  }
  // In order, so that two transactions never wait for each other.
  const rows = [...new Set([...words.title.split(" "), ...words.body.split(" ")])]
    .filter((word) => word !== "")
    .toSorted()
    .map((word) => ({ word }));
  for (const some of chunks(rows, wordsAtOnce)) {
    await trx
      .insertInto("search_words")
      .values(some)
      .onConflict((conflict) => conflict.column("word").doNothing())
      .execute();
  }
}

/**
 * Most words that a misspelt one is compared with. Of twenty thousand English words, some six hundred have the same two
 * letters at their beginning and about the same length.
 */
const maxCandidates = 1_000;

/** The newest issues by their ages that PostgreSQL is asked for first: a thousand or so. */
const agesLookedAt = 4;

/** Letters that a misspelt word and the one that was meant have in common at their beginnings. */
const sameLetters = 2;

/** Changes that a misspelt word may need, by its length. */
function maxChanges({ length }: string): number {
  if (length >= 7) return 2;
  return length >= 5 ? 1 : 0;
}

/**
 * Searches issues by the databases' own full-text indexes. The newest that have the words are found, so that a word that
 * ten thousand issues have costs what one that few have costs.
 */
export function createIssueSearch(db: Kysely<Database>): IssueSearch {
  return {
    find: (query) =>
      isPostgres(db) ? findOnPostgres(db, query) : findWith(idsOnSqlite, db, query),
    async closestWords(word) {
      const changes = maxChanges(word);
      const beginning = word.slice(0, sameLetters);
      if (changes === 0) return [];
      const rows = await db
        .selectFrom("search_words")
        .select("word")
        .where("word", ">=", beginning)
        .where("word", "<", `${beginning}\u{10ffff}`)
        .where(sql<number>`length(word)`, ">=", word.length - changes)
        .where(sql<number>`length(word)`, "<=", word.length + changes)
        .limit(maxCandidates)
        .execute();
      return closestOf(
        word,
        rows.map((row) => row.word),
        changes,
      );
    },
    async withoutWords(ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("prepared_issues")
        .select("issue_id")
        .where("issue_id", "in", ids)
        .execute();
      const known = new Set(rows.map(({ issue_id }) => issue_id));
      return ids.filter((id) => !known.has(id));
    },
    async texts(ids) {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom("prepared_issues")
        .select(["issue_id", sql<string>`substr(plain_text, 1, ${searchedMaxLength})`.as("text")])
        .where("issue_id", "in", ids)
        .execute();
      return new Map(rows.map(({ issue_id, text }) => [issue_id, text]));
    },
  };
}

/** The same, each question where it is best asked. */
export function createSearchThrough(read: ReadArchive): IssueSearch {
  return {
    find: (query) => read((db) => createIssueSearch(db).find(query)),
    closestWords: (word) => read((db) => createIssueSearch(db).closestWords(word)),
    withoutWords: (ids) => read((db) => createIssueSearch(db).withoutWords(ids)),
    texts: (ids) => read((db) => createIssueSearch(db).texts(ids)),
  };
}

type IdsOf = typeof idsOnSqlite;

async function findWith(idsOf: IdsOf, db: Kysely<Database>, query: IssueQuery) {
  const anywhere = await idsOf(db, query, { isTitle: false });
  const inTitle = anywhere.length > 0 ? await idsOf(db, query, { isTitle: true }) : [];
  return { inTitle, anywhere };
}

/**
 * By the index of words alone. To PostgreSQL the table looks small, since the words of an issue lie outside it, and going
 * through it cheap: it would read the words of each of ten thousand issues, which takes eighty times as long.
 */
async function findOnPostgres(db: Kysely<Database>, query: IssueQuery) {
  return await withoutPlans(db, ["seqscan", "indexscan"], (trx) =>
    findWith(idsOnPostgres, trx, query),
  );
}

async function idsOnSqlite(
  db: Kysely<Database>,
  { groups, combine }: IssueQuery,
  { isTitle }: { isTitle: boolean },
): Promise<number[]> {
  const written = groups
    .map((terms) => terms.map(({ word, isPrefix }) => `"${word}"${isPrefix ? "*" : ""}`))
    .map((terms) => `(${terms.join(" OR ")})`)
    .join(combine === "all" ? " AND " : " OR ");
  const words = sql.table(isTitle ? "prepared_issue_titles" : "prepared_issue_words");
  const { rows } = await sql<{ id: number }>`
    select rowid as id from ${words} where ${words} match ${written}
    order by rowid desc limit ${maxFoundIssues}`.execute(db);
  return rows.map(({ id }) => id);
}

async function idsOnPostgres(
  db: Kysely<Database>,
  { groups, combine }: IssueQuery,
  { isTitle }: { isTitle: boolean },
): Promise<number[]> {
  const written = groups
    .map((terms) => terms.map(({ word, isPrefix }) => `'${word}'${isPrefix ? ":*" : ""}`))
    .map((terms) => `(${terms.join(" | ")})`)
    .join(combine === "all" ? " & " : " | ");
  const words = sql<string>`to_tsquery('simple', ${written}::text)`;
  // An index has no weights: asked for those of titles, it would have every row's words read that has them anywhere.
  if (isTitle) return await newestIds(db, sql`ts_filter(words, '{a}'::"char"[]) @@ ${words}`);
  const ages = await newestAges(db);
  if (ages === null) return await newestIds(db, sql`words @@ ${words}`);
  const lately = await newestIds(db, sql`words @@ (${words} && ${ages}::tsquery)`);
  const areAll = lately.length === maxFoundIssues;
  return areAll ? lately : await newestIds(db, sql`words @@ ${words}`);
}

/**
 * What the newest issues have of one another, for a query; null where those are all there are. A word that ten thousand
 * issues have would else have each of their rows read and put in order.
 */
async function newestAges(db: Kysely<Database>): Promise<string | null> {
  const { newest } = await db
    .selectFrom("prepared_issues")
    .select(({ fn }) => fn.max("issue_id").as("newest"))
    .executeTakeFirstOrThrow();
  const ages = newestAgeWords(Number(newest ?? 0), agesLookedAt);
  return ages.includes(ageWord(0)) ? null : ages.map((age) => `'${age}'`).join(" | ");
}

async function newestIds(db: Kysely<Database>, condition: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select issue_id as id from prepared_issues where ${condition}
    order by issue_id desc limit ${maxFoundIssues}`.execute(db);
  return rows.map(({ id }) => id);
}
