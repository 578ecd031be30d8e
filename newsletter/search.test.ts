import { expect, test } from "vitest";
import { issueQuery, queryWords } from "#app/search/search-words.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { makeIssue } from "./issues.ts";
import { findIssues } from "./prepared-issues.ts";

describeOnEachDatabase("searching issues", (database) => {
  const ids = (text: string, combine: "all" | "any" = "all") =>
    findIssues(database.db, issueQuery(queryWords(text), combine));

  async function publish(title: string, words: string) {
    const html = `<p>${words}</p>`;
    const issue = { title, html, publishDate: "2026-11-20" };
    return await database.db.transaction().execute((trx) => makeIssue(trx, issue));
  }

  test("a search finds words in any form and order, and ranks titles above bodies", async () => {
    const quotes = await publish("Time one quote", "Invoices wait until Friday.");
    const invoices = await publish("The invoice typed twice", "A quote doesn't; Café Realtor.ca");
    expect(await ids("INVOICES quote")).toHaveLength(2);
    expect(await ids("invoice")).toEqual([invoices, quotes]);
    for (const text of ["cafe", "café", "realtor.ca", "doesn't", "invoicé", "typing twice"]) {
      expect(await ids(text), text).toContain(invoices);
    }
    for (const text of ["invoi", "typ twi"]) {
      expect(await ids(text), text).toEqual([]);
      const beginnings = issueQuery(queryWords(text), "all", "beginnings");
      expect(await findIssues(database.db, beginnings), text).toContain(invoices);
    }
    expect(await ids("zeppelin quote")).toEqual([]);
    expect(await ids("zeppelin friday", "any")).toEqual([quotes]);
    expect(await ids("the")).toEqual([]);
  });

  test("a search doesn't find words that begin with the stem of a searched one", async () => {
    await publish("The first reply", "An offer presentation in Mississauga until eleven.");
    const missed = await publish("What it costs", "If you miss more than ten.");
    expect(await ids("missed")).toEqual([missed]);
  });

  test("a search finds a word with joiners as the issue spells it", async () => {
    const id = await publish("Doppelhaus", "Auf\u200blage \u200c\u200c. نیم\u200cفاصله");
    expect(await ids("نیم\u200cفاصله")).toEqual([id]);
  });

  test("a search finds words of other scripts as they are spelt, and by their beginnings", async () => {
    const words =
      "ガイド: データの見積書. 한국어 안내. Йод и ёлка. Μάιος. إعلان. Crème brûlée. हिन्दी";
    const id = await publish("自動化の第一歩", `${words} ${"スケジュール".normalize("NFD")}`);
    for (const text of [
      "自動化の第一歩",
      "自動",
      "ガイド",
      "データ",
      "データの見積".normalize("NFD"),
      "한국",
      "한국어",
      "안내",
      "йод",
      "ЁЛКА",
      "μάιος",
      "إعلان",
      "creme brulee",
      "हिन्दी",
      "スケジュール",
    ]) {
      expect.soft(await ids(text), text).toEqual([id]);
    }
    // Only a dictionary could tell where a word begins inside a run of characters.
    expect(await ids("第一歩")).toEqual([]);
  });

  test("words that mean something to an index are words like any others", async () => {
    const id = await publish("Or", "near AND not NEAR column title body select");
    for (const text of ['near" OR "1', "title:near", "near*", "(near)", "near & !not", "'near'"]) {
      expect(await ids(text, "any"), text).toEqual([id]);
    }
  });
});
