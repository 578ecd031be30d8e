import { expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { createArchive } from "#newsletter/issues/archive.ts";
import { makeIssue } from "#newsletter/issues/issues.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import type { SiteServices } from "../ports.ts";
import { createSearch } from "./search-site.server.ts";

function searchOn(db: Db) {
  const archive = createArchive(db);
  const settings = { ...testSite } as SiteServices["settings"];
  const { search } = createSearch({
    archive,
    settings,
    reportError() {},
    formsFor: () => ({}) as never,
  });
  const everything = (q: string) => search(new URLSearchParams({ q }));
  async function results(q: string) {
    const { outcome } = await everything(q);
    return (outcome?.results ?? []).filter(({ issueLine }) => issueLine !== null);
  }
  const ids = async (q: string) => {
    const { outcome } = await everything(q);
    if (outcome?.hasSomeWordsOnly) return [];
    return (await results(q)).map(({ path }) => Number(path.split("/").at(-1)));
  };
  return { everything, results, ids, settings };
}

const marked = (text: string[]) => text.filter((_, part) => part % 2 === 1);

describeOnEachDatabase("searching the site", (database) => {
  async function publish(title: string, words: string) {
    const issue = { title, html: `<p>${words}</p>`, publishDate: "2026-11-20" };
    return await database.db.transaction().execute((trx) => makeIssue(trx, issue));
  }

  test("a search finds words of other scripts as they are spelt, and by their beginnings", async () => {
    const { ids, results } = searchOn(database.db);
    const words =
      "ガイド: データの見積書. 한국어 안내. Йод и ёлка. Μάιος. إعلان. हिन्दी. Auf\u200blage نیم\u200cفاصله";
    const id = await publish("自動化の第一歩", `${words} ${"スケジュール".normalize("NFD")}`);
    for (const text of [
      ...["自動化の第一歩", "自動", "ガイド", "データ", "データの見積".normalize("NFD"), "한국"],
      ...["한국어", "안내", "йод", "ЁЛКА", "μάιος", "إعلان", "हिन्दी", "スケジュール"],
      ...["auflage", "نیم\u200cفاصله"],
    ]) {
      expect.soft(await ids(text), text).toEqual([id]);
    }
    const [found] = await results("हिन्दी");
    expect(marked(found?.excerpt ?? [])).toEqual(["हिन्दी"]);
    // Only a dictionary could tell where a word begins inside a run of characters.
    expect(await ids("第一歩")).toEqual([]);
  });

  test("an excerpt is the passage that has the most of the words, with every form of them highlighted", async () => {
    const { results } = searchOn(database.db);
    const long = "Nothing here but a gazebo. ".repeat(400);
    await publish("Time one quote", `${long}Invoicing the gazebo on Friday pays. ${long}`);
    const [found] = await results("invoices gazebos friday paying");
    const excerpt = found?.excerpt ?? [];
    expect(new Set(marked(excerpt))).toEqual(new Set(["gazebo", "Invoicing", "Friday", "pays"]));
    expect(excerpt.join("").length).toBeLessThan(300);
    await publish("Crème brûlée", "Crème brûlée");
    const [dessert] = await results("creme brulee");
    expect(marked(dessert?.excerpt ?? [])).toEqual(["Crème", "brûlée"]);
  });

  test("markup in a title or a body is text, and words of a query language are words", async () => {
    const { results, ids } = searchOn(database.db);
    const title = "Quotient <img src=x> & \u0001co";
    const id = await publish(title, "Quotient &lt;script&gt;alert(1)&lt;/script&gt; words");
    expect(await results("quotient")).toMatchObject([
      {
        title: ["", "Quotient", " <img src=x> & \u0001co"],
        excerpt: ["", "Quotient", " <script>alert(1)</script> words"],
      },
    ]);
    for (const text of ["title:quotient", '"quotient" OR "1', "quotient*", "quotient & !zzzz"]) {
      expect(
        (await results(text)).map(({ path }) => path),
        text,
      ).toEqual([`/newsletter/${id}`]);
    }
    expect(await ids("(quotient)")).toEqual([id]);
  });

  test("the owner's words are found in place of the delivered ones", async () => {
    const { everything, settings } = searchOn(database.db);
    const first = async (q: string) => (await everything(q)).outcome?.results[0]?.path;
    expect(await first("belvedere")).toBeUndefined();
    settings.words = { newsletter: { name: "The Belvedere" } };
    expect(await first("belvedere")).toBe("/newsletter");
  });
});
