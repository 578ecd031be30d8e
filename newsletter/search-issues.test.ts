import { sql } from "kysely";
import { expect, test } from "vitest";
import type { IssueQuery } from "#contracts/issue-search.ts";
import { maxFoundIssues } from "#contracts/issue-search.ts";
import { indexedWords } from "#contracts/search-words.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { publishIssue, removeIssue } from "./issues.ts";
import { prepareIssues } from "./prepared-issues.ts";
import { createIssueSearch } from "./search-issues.ts";

const query = (text: string, options: Partial<IssueQuery> = {}): IssueQuery => ({
  groups: indexedWords(text).map((word) => [{ word, isPrefix: word.length >= 3 }]),
  combine: "all",
  ...options,
});

describeOnEachDatabase("searching issues", (database) => {
  const search = () => createIssueSearch(database.db);

  async function publish(title: string, words: string) {
    const html = `<p>${words}</p>`;
    const issue = { title, html, publishDate: "2026-11-20" };
    return (await publishIssue(database.db, issue)).id;
  }

  if (database.kind === "postgres") {
    test("reads words by their index alone, and no issue's own, however small the table looks", async () => {
      await publish("The invoice typed twice", "A quote doesn't.");
      const scans = async () => {
        const { rows } = await sql<{ words: number; titles: number }>`
          select (select idx_scan from pg_stat_user_indexes
              where indexrelname = 'prepared_issues_words') as words,
            (select idx_scan from pg_stat_user_indexes
              where indexrelname = 'prepared_issues_title_words') as titles`.execute(database.db);
        const [{ words, titles } = expect.fail()] = rows;
        return { words: Number(words), titles: Number(titles) };
      };
      const count = 5;
      const before = await scans();
      for (let n = 0; n < count; n += 1) await search().find(query("invoice"));
      // PostgreSQL writes down what was read within a second or so.
      await expect
        .poll(scans)
        .toMatchObject({ words: before.words + count, titles: before.titles + count });
    });
  }

  test("finds words in any form and order, the newest first, and those in titles apart", async () => {
    const quotes = await publish("Time one quote", "Invoices wait until Friday.");
    const invoices = await publish("The invoice typed twice", "A quote doesn't; Café Realtor.ca");
    expect(await search().find(query("INVOICES quote"))).toEqual({
      inTitle: [],
      anywhere: [invoices, quotes],
    });
    expect(await search().find(query("invoice"))).toEqual({
      inTitle: [invoices],
      anywhere: [invoices, quotes],
    });
    for (const text of ["cafe", "realtor.ca", "doesn't", "invoi", "typ twi"]) {
      expect((await search().find(query(text))).anywhere, text).toContain(invoices);
    }
    expect((await search().find(query("zeppelin quote"))).anywhere).toEqual([]);
    const any = query("zeppelin friday", { combine: "any" });
    expect((await search().find(any)).anywhere).toEqual([quotes]);
    expect((await search().texts([quotes])).get(quotes)).toBe("Invoices wait until Friday.");
  });

  test("knows the words that a misspelt one may stand for", async () => {
    await publish("The invoice typed twice", "Nothing else.");
    expect(await search().closestWords("invioce")).toEqual(["invoice"]);
    expect(await search().closestWords("typd")).toEqual([]);
    expect(await search().closestWords("zeppelin")).toEqual([]);
  });

  test("a removed issue is found no more, and nothing of it is kept", async () => {
    const id = await publish("Gazebo", "A gazebo in March.");
    await removeIssue(database.db, id);
    expect(await search().find(query("gazebo"))).toEqual({ inTitle: [], anywhere: [] });
    expect(await database.db.selectFrom("prepared_issues").selectAll().execute()).toEqual([]);
  });

  test("a word that every issue has brings the newest, and no more than that", async () => {
    for (let index = 0; index < 260; index += 1) await publish("Gazebo", "Common words.");
    const { inTitle, anywhere } = await search().find(query("gazebo"));
    expect(inTitle).toHaveLength(maxFoundIssues);
    expect(anywhere).toHaveLength(maxFoundIssues);
    expect(Math.min(...anywhere)).toBe(Math.max(...anywhere) - maxFoundIssues + 1);
  });

  test("issues of any age are found, and of a word that many have the newest alone", async () => {
    const { db } = database;
    const issue = { content_markdown: "<p>Common words.</p>", publish_date: "2026-11-20" };
    const first = 50_000;
    const many = Array.from({ length: maxFoundIssues + 5 }, (_, index) => ({
      ...issue,
      id: first + index,
      title: "Gazebo",
    }));
    const oldest = { ...issue, id: 2_000, title: "Veranda", content_markdown: "Common rafters." };
    const older = { ...issue, id: 40_000, title: "Pergola", content_markdown: "Rafters." };
    await db.insertInto("final_newsletters").values([oldest, older]).execute();
    await db.insertInto("final_newsletters").values(many).execute();
    await prepareIssues(db);
    const { anywhere } = await search().find(query("common"));
    const newest = first + many.length - 1;
    expect(anywhere).toEqual(Array.from({ length: maxFoundIssues }, (_, index) => newest - index));
    expect((await search().find(query("rafter"))).anywhere).toEqual([older.id, oldest.id]);
    expect(await search().find(query("veranda"))).toMatchObject({ inTitle: [oldest.id] });
  });

  test("words that mean something to an index are words like any others", async () => {
    const id = await publish("Or", "near AND not NEAR column title body select");
    for (const text of ['near" OR "1', "title:near", "near*", "(near)", "near & !not", "'near'"]) {
      const { anywhere } = await search().find(query(text, { combine: "any" }));
      expect(anywhere, text).toEqual([id]);
    }
  });
});
