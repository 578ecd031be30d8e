import { expect, test } from "vitest";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { Db } from "#db/tables.ts";
import { archiveOfDatabase, createArchive } from "#newsletter/archive.ts";
import { makeIssue } from "#newsletter/issues.ts";
import { createPreparedBodies } from "#newsletter/prepared-issues.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { writeIssuesOneUnpreparable } from "#tests/unpreparable-issue.ts";
import { searchSite } from "./search-site.server.ts";

const settings = testSite as SiteSettings;

function searchOn(db: Db) {
  const reported: unknown[] = [];
  const archive = createArchive(
    archiveOfDatabase(db, (error) => reported.push(error)),
    createPreparedBodies(db),
  );
  const reportError = (error: unknown) => reported.push(error);
  const search = async (query: string) => {
    const { results } = await searchSite({ archive, settings, reportError }, query);
    return results.filter(({ issueLine }) => issueLine !== null);
  };
  return { search, reported };
}

const marked = (text: string[]) => text.filter((_, part) => part % 2 === 1);

describeOnEachDatabase("searching the site", (database) => {
  async function publish(title: string, words: string) {
    const issue = { title, html: `<p>${words}</p>`, publishDate: "2026-11-20" };
    return await database.db.transaction().execute((trx) => makeIssue(trx, issue));
  }

  test("an issue with the word in its title comes first, with the word highlighted", async () => {
    const { search } = searchOn(database.db);
    await publish("The gazebo built twice", "A pergola.");
    await publish("Time one quote", "Gazebos wait until Friday.");
    expect(await search("gazebo")).toMatchObject([
      { title: ["The ", "gazebo", " built twice"], excerpt: ["A pergola."] },
      { title: ["Time one quote"], excerpt: ["", "Gazebos", " wait until Friday."] },
    ]);
  });

  test("an excerpt is the passage that has the most of the words, with every form of them highlighted", async () => {
    const { search } = searchOn(database.db);
    const long = "Nothing here but a gazebo. ".repeat(400);
    await publish("Time one quote", `${long}Invoicing the gazebo on Friday pays. ${long}`);
    const [found] = await search("invoices gazebos friday paying");
    const excerpt = found?.excerpt ?? [];
    expect(new Set(marked(excerpt))).toEqual(new Set(["gazebo", "Invoicing", "Friday", "pays"]));
    expect(excerpt.join("").length).toBeLessThan(300);
  });

  test("an excerpt is a sentence, and a table's cell only where no sentence has the word", async () => {
    const { search } = searchOn(database.db);
    const table = "<table><tr><td>Gazebos, a month</td><td>40</td></tr></table>";
    await publish("Time one quote", `Nothing yet.</p>${table}<p>Every gazebo was late.`);
    await publish("Time two", `Nothing yet.</p>${table}<p>Every pergola was late.`);
    const found = await search("gazebos");
    expect(found.map(({ excerpt }) => excerpt.join("")).sort()).toEqual([
      "Every gazebo was late.",
      "Gazebos, a month",
    ]);
  });

  test("words of any script are highlighted as the issue spells them", async () => {
    const { search } = searchOn(database.db);
    await publish(
      "Doppelhaus",
      "Auf\u200blage \u200c\u200c. نیم\u200cفاصله 👷🏾\u200d♀️ کار. Crème brûlée",
    );
    const [found] = await search("کار");
    expect(found?.excerpt.join("")).toBe("Auflage . نیم\u200cفاصله 👷🏾\u200d♀️ کار. Crème brûlée");
    const [dessert] = await search("creme brulee");
    expect(marked(dessert?.excerpt ?? [])).toEqual(["Crème", "brûlée"]);
  });

  test("markup in a title or a body is text", async () => {
    const { search } = searchOn(database.db);
    const title = "Quotient <img src=x> & \u0001co";
    await publish(title, "Quotient &lt;script&gt;alert(1)&lt;/script&gt; words");
    expect(await search("quotient")).toMatchObject([
      {
        title: ["", "Quotient", " <img src=x> & \u0001co"],
        excerpt: ["", "Quotient", " <script>alert(1)</script> words"],
      },
    ]);
  });

  test("an issue that can't be prepared is left out and named, and the others are found", async () => {
    const { db } = database;
    const { search, reported } = searchOn(db);
    await writeIssuesOneUnpreparable(db);
    expect((await search("gazebo")).map(({ path }) => path)).toEqual([
      "/newsletter/3",
      "/newsletter/1",
    ]);
    expect(reported.map(String)).toEqual([expect.stringContaining("Issue 2 can't be prepared")]);
    await search("gazebo");
    expect(reported).toHaveLength(1);
  });
});
