import { sql } from "kysely";
import { expect, test } from "vitest";
import type { IssueQuery } from "#contracts/issue-search.ts";
import { maxFoundIssues } from "#contracts/issue-search.ts";
import { indexedWords } from "#contracts/search-words.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { createPreparedBodies } from "#issue-body/prepared-bodies.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { noteUnpreparedIssues } from "./note-unprepared-issues.ts";
import { prepareWaitingIssues } from "./prepare-waiting-issues.ts";
import { createPreparedIssueStore } from "./prepared-issue-store.ts";
import { publishIssue } from "./publish-issue.ts";
import { removeIssue } from "./remove-issue.ts";
import { reviseIssue } from "./revise-issue.ts";
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
    return (await publishIssue(database.db, issue, prepareIssueBody(html))).id;
  }

  function preparedBodyOf() {
    const prepared: number[] = [];
    const bodyOf = createPreparedBodies({
      preparer: {
        prepare: async (content) => ({ body: prepareIssueBody(content), isWhole: true }),
      },
      store: createPreparedIssueStore(database.db),
      reportError(error) {
        throw error;
      },
    });
    return {
      prepared,
      bodyOf: (issue: Parameters<typeof bodyOf>[0]) => {
        prepared.push(issue.id);
        return bodyOf(issue);
      },
    };
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

  test("issues that came from elsewhere are prepared once, and forgotten when they are gone", async () => {
    await database.db
      .insertInto("final_newsletters")
      .values(
        Array.from({ length: 45 }, (_, index) => ({
          title: `Imported ${index}`,
          content_markdown: `<p>Gazebo ${index}</p>`,
          publish_date: "2026-11-20",
        })),
      )
      .execute();
    const { prepared, bodyOf } = preparedBodyOf();
    expect(await prepareWaitingIssues(database.db, bodyOf)).toBe(45);
    expect(await prepareWaitingIssues(database.db, bodyOf)).toBe(0);
    expect(prepared).toHaveLength(45);
    expect((await search().find(query("gazebo 7"))).anywhere).toEqual([8]);
    await database.db.deleteFrom("final_newsletters").where("id", ">", 5).execute();
    await prepareWaitingIssues(database.db, bodyOf);
    expect((await search().find(query("gazebo"))).anywhere).toEqual([5, 4, 3, 2, 1]);
  });

  test("an issue that comes back with its body is found again, though its body was still in memory", async () => {
    const { db } = database;
    const issue = { id: 7, title: "One", content_markdown: "<p>Gazebo</p>" };
    const row = { ...issue, publish_date: "2026-11-20" };
    const { bodyOf } = preparedBodyOf();
    await db.insertInto("final_newsletters").values(row).execute();
    expect(await prepareWaitingIssues(db, bodyOf)).toBe(1);
    await db.deleteFrom("final_newsletters").execute();
    await db.insertInto("final_newsletters").values(row).execute();
    expect(await prepareWaitingIssues(db, bodyOf)).toBe(1);
    expect((await search().find(query("gazebo"))).anywhere).toEqual([7]);
    expect(await prepareWaitingIssues(db, bodyOf)).toBe(0);
  });

  test("issues that other rules prepared, or that got another body, are prepared again", async () => {
    const { db } = database;
    const byOthers = await publish("One", "Gazebo");
    const revised = await publish("Two", "Pergola");
    await publish("Three", "Arbour");
    await db
      .updateTable("prepared_issues")
      .set({ body_key: "of-rules-before-these" })
      .where("issue_id", "=", byOthers)
      .execute();
    const change = { from: "<p>Pergola</p>", to: "<p>Veranda</p>", pictures: [], kept: [] };
    expect(await reviseIssue(db, { id: revised, ...change, now: new Date() })).toBe(true);
    // Whoever comes before it is prepared sees the new one too: the old one is nowhere any more.
    expect((await search().find(query("pergola"))).anywhere).toEqual([]);
    const { prepared, bodyOf } = preparedBodyOf();
    await noteUnpreparedIssues(db);
    expect(await prepareWaitingIssues(db, bodyOf)).toBe(2);
    expect(prepared).toEqual([revised, byOthers]);
    expect((await search().find(query("veranda"))).anywhere).toEqual([revised]);
    expect(await prepareWaitingIssues(db, bodyOf)).toBe(0);
  });

  test("an issue whose title is changed in the database is found by its new words alone", async () => {
    const { db } = database;
    const id = await publish("Gazebo", "Words.");
    await sql`update final_newsletters set title = 'Pergola'`.execute(db);
    const { bodyOf } = preparedBodyOf();
    expect(await prepareWaitingIssues(db, bodyOf)).toBe(1);
    expect((await search().find(query("pergola"))).inTitle).toEqual([id]);
    expect((await search().find(query("gazebo"))).anywhere).toEqual([]);
    expect(await prepareWaitingIssues(db, bodyOf)).toBe(0);
  });

  test("looking for what is to be prepared costs what has changed, however many issues there are", async () => {
    const { db } = database;
    const readAfterOneChange = async () => {
      const rows: unknown[] = [];
      const counted = db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          rows.push(...result.rows);
          return result;
        },
      });
      await db
        .updateTable("final_newsletters")
        .set({ content_markdown: "Other" })
        .where("id", "=", 1)
        .execute();
      expect(await prepareWaitingIssues(counted, preparedBodyOf().bodyOf)).toBe(1);
      return rows.length;
    };
    await publish("Gazebo", "Words.");
    const ofOne = await readAfterOneChange();
    const issue = { title: "Pergola", content_markdown: "Words", publish_date: "2026-11-20" };
    await db
      .insertInto("final_newsletters")
      .values(Array.from({ length: 1_200 }, () => issue))
      .execute();
    await db.deleteFrom("issues_to_prepare").execute();
    expect(await readAfterOneChange()).toBe(ofOne);
  });

  test("what was prepared of a title or a body that the issue has no more is not kept", async () => {
    const { db } = database;
    const id = await publish("Gazebo", "Before.");
    const store = createPreparedIssueStore(db);
    const old = { id, title: "Gazebo", content_markdown: "<p>Before.</p>" };
    const body = { html: "<p>Before.</p>", plainText: "Before." };
    await db.updateTable("final_newsletters").set({ content_markdown: "After." }).execute();
    await store.save(old, "of-before", body);
    await store.save({ ...old, title: "Pergola", content_markdown: "After." }, "of-after", body);
    expect(await db.selectFrom("prepared_issues").selectAll().execute()).toEqual([]);
    await removeIssue(db, id);
    await store.save({ ...old, content_markdown: "After." }, "of-after", body);
    expect(await db.selectFrom("prepared_issues").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("issues_to_prepare").selectAll().execute()).toEqual([]);
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
    const { bodyOf } = preparedBodyOf();
    while ((await prepareWaitingIssues(db, bodyOf)) > 0);
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

  test("what is empty, or holds the character that ends a text in C, can be kept", async () => {
    await sql`delete from search_words`.execute(database.db);
    const { id } = await publishIssue(
      database.db,
      { title: "", html: "", publishDate: "2026-11-20" },
      { html: "<p>a\0b</p>", plainText: "a\0b" },
    );
    expect((await search().texts([id])).get(id)).toBe("ab");
  });
});
