import { type KyselyPlugin, sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { searchIssues } from "#app/search/search-issues.server.ts";
import { searchPages } from "#app/search/search-pages.server.ts";
import { sitePages } from "#content/site-pages.ts";
import { maxFoundIssues } from "#contracts/issue-search.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { publishIssue } from "#newsletter/publish-issue.ts";
import { createIssueSearch } from "#newsletter/search-issues.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";

/** What is asked of the database, by number of statements and of the rows that come back. */
function countStatements() {
  const counts = { statements: 0, rows: 0 };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      counts.statements += 1;
      return node;
    },
    async transformResult({ result }) {
      counts.rows += result.rows.length;
      return result;
    },
  };
  return { counts, plugin };
}

/** Letters in place of digits, since a number is a word of its own kind. */
const lettersOf = (n: number) =>
  [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("");

/** What PostgreSQL would go through for each search, if it put words of issues into their indexes later. */
async function pagesOfWaitingWords({ kind, db }: TestDatabase): Promise<number> {
  if (kind === "sqlite") return 0;
  const { rows } = await sql<{ pages: string }>`
    select sum(gin_clean_pending_list(indexrelid)) as pages
    from pg_index join pg_class on pg_class.oid = indexrelid
    join pg_am on pg_am.oid = relam
    where indrelid = 'prepared_issues'::regclass and amname = 'gin'`.execute(db);
  return Number(rows[0]?.pages);
}

const shownIssues = 20;
const wordsLookedFor = 6;
const wordsCompared = 1_000;

describeOnEachDatabase("what a search costs", (database) => {
  /** On PostgreSQL each search says by what it is to be planned, and asks how new the newest issue is. */
  const plannedBy = database.kind === "postgres" ? 2 : 0;

  test("is bounded by statements and rows, however many words are asked for and known", async () => {
    const heads = [];
    for (let index = 0; index < shownIssues + 5; index += 1) {
      const html = `<p>Gutters and downspouts, ${lettersOf(index)}.</p>`;
      const issue = { title: "Gutters", html, publishDate: "2026-11-20" };
      const { id } = await publishIssue(database.db, issue, prepareIssueBody(html));
      heads.unshift({ id, title: issue.title, publish_date: issue.publishDate });
    }
    const known = Array.from({ length: wordsCompared + 500 }, (_, index) => ({
      word: `gu${lettersOf(10_000 + index)}`,
    }));
    for (let start = 0; start < known.length; start += 500) {
      const some = known.slice(start, start + 500);
      await database.db.insertInto("search_words").values(some).execute();
    }
    const { counts, plugin } = countStatements();
    const search = createIssueSearch(database.db.withPlugin(plugin));
    const misspelt = Array.from({ length: 50 }, (_, index) => `gu${lettersOf(50_000 + index)}`);
    const find = searchIssues(
      search,
      { heads, total: heads.length },
      `gutters ${misspelt.join(" ")}`,
    );
    await find("as-typed");
    await find("misspelt");
    const { found, present } = await find("some-words");
    expect(found).toHaveLength(heads.length);
    await present(found.slice(0, shownIssues));
    expect(await pagesOfWaitingWords(database)).toBe(0);
    // As typed and misspelt nothing has them all, so that no title is asked for.
    const lookups = 1 + 1 + 2;
    const finds = 3;
    const statementsMax = wordsLookedFor + lookups + 1 + finds * plannedBy;
    expect(counts.statements).toBeLessThanOrEqual(statementsMax);
    expect(counts.rows).toBeGreaterThan(wordsCompared);
    expect(counts.rows).toBeLessThanOrEqual(
      wordsLookedFor * wordsCompared + 2 * maxFoundIssues + shownIssues,
    );
  });

  test("is that of one search where nothing is spelled like the words", async () => {
    const { counts, plugin } = countStatements();
    const search = createIssueSearch(database.db.withPlugin(plugin));
    const find = searchIssues(search, { heads: [], total: 0 }, "zeppelin");
    await find("as-typed");
    await find("misspelt");
    await find("some-words");
    const withItsClosest = 2;
    expect(counts.statements).toBe(withItsClosest + plannedBy);
  });
});

describe("a search of the pages", () => {
  test("looks for a dozen different words and no more", async () => {
    const words =
      "invoice quote lead plumber roof audit price schedule crew email photo permit newsletter".split(
        " ",
      );
    const paths = async (query: string) => {
      const find = await searchPages(query);
      return find("some-words").map((page) => page.present().path);
    };
    const dozen = await paths(words.slice(0, 12).join(" "));
    expect(await paths(words.join(" "))).toEqual(dozen);
    expect(await paths("newsletter")).not.toEqual([]);
    expect(await paths(`${words.slice(0, 12).join(" ")} `.repeat(3))).toEqual(dozen);
    expect(await paths(words.slice(0, 11).join(" "))).not.toEqual(dozen);
  });

  test("has others served between any two pages that the first one indexes", async () => {
    vi.resetModules();
    const { searchPages } = await import("#app/search/search-pages.server.ts");
    let rounds = 0;
    let isDone = false;
    const count = () => {
      rounds += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await searchPages("invoice");
    isDone = true;
    expect(rounds).toBeGreaterThanOrEqual(sitePages.length);
  });
});
