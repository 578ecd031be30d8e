import { expect, test } from "vitest";
import { searchWords } from "#contracts/issue.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { makeIssue } from "./issues.ts";
import { excerptIssues, findIssues } from "./search-issues.ts";

const query = (text: string, combine: "all" | "any" = "all") => ({
  words: searchWords(text),
  combine,
});

describeOnEachDatabase("searching issues", (database) => {
  const find = (text: string, combine?: "all" | "any") =>
    findIssues(database.db, query(text, combine));
  const ids = async (text: string, combine?: "all" | "any") =>
    (await find(text, combine)).map(({ id }) => id);
  const excerpt = async (text: string, id: number) =>
    (await excerptIssues(database.db, query(text), [id])).get(id);

  async function publish(title: string, words: string) {
    const html = `<p>${words}</p>`;
    const issue = { title, html, publishDate: "2026-11-20" };
    return await database.db.transaction().execute((trx) => makeIssue(trx, issue));
  }

  test("finds words in any form and order, those in titles first", async () => {
    const quotes = await publish("Time one quote", "Invoices wait until Friday.");
    const invoices = await publish("The invoice typed twice", "A quote doesn't; Café Realtor.ca");
    expect(await ids("INVOICES quote")).toHaveLength(2);
    expect(await ids("invoice")).toEqual([invoices, quotes]);
    expect(await find("invoice")).toMatchObject([
      { isInTitle: true, title: ["The ", "invoice", " typed twice"] },
      { isInTitle: false, title: ["Time one quote"] },
    ]);
    for (const text of ["cafe", "café", "realtor.ca", "doesn't", "invoi", "invoicé", "typ twi"]) {
      expect(await ids(text), text).toContain(invoices);
    }
    expect(await ids("zeppelin quote")).toEqual([]);
    expect(await ids("zeppelin friday", "any")).toEqual([quotes]);
    expect(await ids("the")).toEqual([]);
  });

  test("finds a word with joiners as the issue spells it, and shows it so", async () => {
    const id = await publish(
      "Doppelhaus",
      "Auf\u200blage \u200c\u200c. نیم\u200cفاصله 👷🏾\u200d♀️ کار",
    );
    expect(await ids("نیم\u200cفاصله")).toEqual([id]);
    expect((await excerpt("کار", id))?.join("")).toBe("Auflage . نیم\u200cفاصله 👷🏾\u200d♀️ کار");
  });

  test("finds words of other writings as they are spelt, and by their beginnings", async () => {
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

  test("shows a passage with the words highlighted", async () => {
    const long = "Nothing here. ".repeat(200);
    const id = await publish("Time one quote", `${long}Send the invoices on Friday. ${long}`);
    const parts = (await excerpt("invoice friday", id)) ?? [];
    expect(parts.filter((_, part) => part % 2 === 1)).toEqual(["invoices", "Friday"]);
    expect(parts.join("").length).toBeLessThan(400);
    expect(parts.join("")).toContain("Send the invoices on Friday.");
  });

  test("markup in a title or a body is text", async () => {
    const title = "Quotient <img src=x> & \u0001co";
    const id = await publish(title, "Quotient &lt;script&gt;alert(1)&lt;/script&gt; words");
    expect(await find("quotient")).toMatchObject([
      { title: ["", "Quotient", expect.stringMatching(/^ <img src=x> & \S*co$/)] },
    ]);
    expect(await excerpt("quotient", id)).toEqual([
      "",
      "Quotient",
      " <script>alert(1)</script> words",
    ]);
  });

  test("words that mean something to an index are words like any others", async () => {
    const id = await publish("Or", "near AND not NEAR column title body select");
    for (const text of ['near" OR "1', "title:near", "near*", "(near)", "near & !not", "'near'"]) {
      expect(await ids(text, "any"), text).toEqual([id]);
    }
  });
});
