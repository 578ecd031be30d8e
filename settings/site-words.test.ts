import { expect, test } from "vitest";
import { pageWords } from "#content/own-words.ts";
import { about } from "#content/pages/about.ts";
import { pricing } from "#content/pages/pricing.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { findWordFaults, listSiteWords, readSiteWords, saveSiteWord } from "./site-words.ts";

const summer = { days: ["Saturday", "Monday", "Tuesday"], opens: "08:00", closes: "16:30" };

const prices = pricing.prices.cards.map(({ id, price, terms }) => ({ id, price, terms }));
const questions = pricing.questions.items.map((item) => ({ ...item }));

const lede = "/about#we-automate-the-office-work-of-trade-real";
const kim = { id: "audit-lead", name: "Kim", role: "Audit lead", does: "Times the work." };

describeOnEachDatabase("the site's own words", (database) => {
  const factOf = async (name: string) =>
    (await listSiteWords(database.db)).find((fact) => fact.name === name);
  /** Saves as a window does that was opened now. */
  const save = async (name: string, value: unknown) => {
    const basedOn = (await factOf(name))?.changedAt ?? null;
    return await saveSiteWord(database.db, { name, value, basedOn });
  };

  test("can be saved exactly as the form shows them", async () => {
    for (const { name, value } of await listSiteWords(database.db)) {
      expect(await save(name, value), name).toEqual({ ok: true });
    }
    expect(await readSiteWords(database.db)).toBeUndefined();
  });

  const noBooks = questions.map((item) => ({ ...item, answer: "Yes." }));
  const long = questions.map((item) => ({
    ...item,
    answer: `50+ local businesses${"!".repeat(600)}`,
  }));
  const [call, ...offers] = prices;
  const keeps = "/about#software-mostly-added-another-inbox-we-watch-the";
  const refused: [name: string, value: unknown, problem: string][] = [
    ["hours", { ...summer, days: [] }, "Days must be days of the week, one at least."],
    ["hours", { ...summer, closes: "08:00" }, "It must close later than it opens."],
    ["constructor", {}, "There is no fact named “constructor”."],
    ["prices", offers, "Prices must have 3 rows."],
    [
      "prices",
      [{ ...call, price: "$50" }, ...offers],
      "The consultation's price stays $0: the whole site calls it free.",
    ],
    [
      "pricing-questions",
      noBooks,
      "One of the answers must keep the words “50+ local businesses”.",
    ],
    ["pricing-questions", long, "Question 1: Answer is longer than 600 characters."],
    [lede, { text: "We automate <b>offices</b>." }, "Text can't have < or >."],
    [
      keeps,
      { text: "Often." },
      "It must keep the words “50+ GTA businesses”, which other pages have too.",
    ],
    [
      "team",
      [{ ...kim, portrait: "/etc/passwd" }],
      "Person 1: Portrait must be a picture of at most 300 KB.",
    ],
    [
      "busy",
      { message: "{soon}", signUp: "Later." },
      "Contact form may have {when}, {email}, {phone} and nothing else in braces.",
    ],
  ];

  test("are refused with what is wrong with them", async () => {
    for (const [name, value, problem] of refused) {
      const saved = await save(name, value);
      expect(saved, name).toEqual({ ok: false, problem: expect.stringContaining(problem) });
    }
    expect(await readSiteWords(database.db)).toBeUndefined();
  });

  test("are shown without a row that isn't JSON, breaks today's rules or is of no fact, which is named", async () => {
    const changed_at = new Date().toISOString();
    await database.db
      .insertInto("site_words")
      .values([
        { name: "busy", value: '{"message": "Later.",', changed_at },
        { name: "hours", value: JSON.stringify({ days: ["Moonday"] }), changed_at },
        { name: "retired", value: "{}", changed_at },
        { name: "newsletter", value: JSON.stringify({ name: "The Level" }), changed_at },
      ])
      .execute();
    expect(await readSiteWords(database.db)).toEqual({ newsletter: { name: "The Level" } });
    const faults = (await findWordFaults(database.db)).join("\n");
    for (const name of ["busy", "hours", "retired"]) expect(faults).toContain(`“${name}”`);
    expect(faults).not.toContain("newsletter");

    // The form replaces what can't be read.
    expect((await factOf("hours"))?.fault).toContain("days of the week");
    expect(await save("hours", summer)).toEqual({ ok: true });
    expect((await factOf("hours"))?.fault).toBeNull();
  });

  test("take the place of the sentence that they are over, wherever it stands in its page", async () => {
    const text = "Software helped 50+ GTA businesses.";
    expect(await save(keeps, { text: ` ${text}\n` })).toEqual({ ok: true });
    const words = await readSiteWords(database.db);
    const { why } = pageWords({ words }, about);
    expect(why.text).toEqual([about.why.text[0], text]);
    // The delivered words have spaces that nobody can type.
    await save(keeps, { text: about.why.text[1].replaceAll("\u00a0", " ") });
    expect(await readSiteWords(database.db)).toBeUndefined();
  });
});
