import { expect, test } from "vitest";
import { pricing } from "#content/pages/pricing.ts";
import { team } from "#content/team.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listSiteWords, readSiteWords, saveSiteWord } from "./site-words.ts";

const summer = { days: ["Saturday", "Monday", "Tuesday"], opens: "08:00", closes: "16:30" };

const prices = pricing.prices.cards.map(({ price, terms }) => ({ price, terms }));
const questions = pricing.questions.items.map(({ question, answer }) => ({ question, answer }));

describeOnEachDatabase("the site's own words", (database) => {
  test("saved a second time replace the first, and saved as they usually are leave nothing", async () => {
    await saveSiteWord(database.db, "newsletter", { name: "The Plumb Line" });
    await saveSiteWord(database.db, "newsletter", { name: "  The\tLevel " });
    expect(await readSiteWords(database.db)).toEqual({ newsletter: { name: "The Level" } });
    await saveSiteWord(database.db, "newsletter", { name: "The Matrix" });
    expect(await readSiteWords(database.db)).toBeUndefined();
  });

  test("can be saved exactly as the form shows them", async () => {
    for (const { name, value } of await listSiteWords(database.db)) {
      expect(await saveSiteWord(database.db, name, value), name).toEqual({ ok: true });
    }
    expect(await readSiteWords(database.db)).toBeUndefined();
  });

  const refused: [name: string, value: unknown, problem: string][] = [
    ["hours", { ...summer, days: [] }, "Days must have at least one day."],
    ["hours", { ...summer, opens: "9 AM" }, "Opens must be a time between 00:00 and 23:59."],
    ["hours", { ...summer, closes: "08:00" }, "It must close later than it opens."],
    ["hours", "always", "Opening hours can't be read."],
    ["prices", prices.slice(1), "Prices must have 3 rows."],
    [
      "prices",
      [{ ...prices[0], price: "$50" }, ...prices.slice(1)],
      "The consultation's price stays $0: the whole site calls it free.",
    ],
    ["prices", [...prices.slice(0, 2), { price: "", terms: "<b>" }], "Offer 3: Price is required."],
    [
      "pricing-questions",
      questions.map((item) => ({ ...item, answer: "Yes." })),
      "One of the answers must keep the words “50+ local businesses”.",
    ],
    [
      "pricing-questions",
      questions.map((item) => ({ ...item, answer: `50+ local businesses${"!".repeat(600)}` })),
      "Question 1: Answer is longer than 600 characters.",
    ],
    ["newsletter", { name: "<The Matrix>" }, "Name can't have < or >."],
    [
      "busy",
      { message: "Come back {soon}.", signUp: "Later." },
      "Contact form may have {when}, {email}, {phone} and nothing else in braces.",
    ],
    ["team", [], "Founding team must have 1 to 6 rows."],
    ["heading", "We Win", "There is no fact named “heading”."],
  ];

  test("are refused with what is wrong with them", async () => {
    for (const [name, value, problem] of refused) {
      const saved = await saveSiteWord(database.db, name, value);
      expect(saved.ok ? [] : saved.problems, name).toContain(problem);
    }
    expect(await readSiteWords(database.db)).toBeUndefined();
  });

  test("leave out what breaks today's rules", async () => {
    const changed_at = new Date().toISOString();
    await database.db
      .insertInto("site_words")
      .values([
        { name: "hours", value: JSON.stringify({ days: ["Moonday"] }), changed_at },
        { name: "retired", value: "{}", changed_at },
        { name: "newsletter", value: JSON.stringify({ name: "The Level" }), changed_at },
      ])
      .execute();
    expect(await readSiteWords(database.db)).toEqual({ newsletter: { name: "The Level" } });
  });

  test("name as many people as there are", async () => {
    const pair = team.slice(0, 2).map(({ role, does }) => ({ role, does, name: "" }));
    expect(await saveSiteWord(database.db, "team", pair)).toEqual({ ok: true });
    expect(await readSiteWords(database.db)).toEqual({ team: pair });
  });
});
