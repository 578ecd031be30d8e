import { expect, test } from "vitest";
import { pageWords } from "#content/own-words.ts";
import { about } from "#content/pages/about.ts";
import { pricing } from "#content/pages/pricing.ts";
import { footer } from "#content/site.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import {
  findWordFaults,
  listSiteWords,
  listWordChanges,
  putBackSiteWord,
  readSiteWords,
  saveSiteWord,
  takeBackSiteWord,
  watchSiteWords,
} from "./site-words.ts";

const summer = { days: ["Saturday", "Monday", "Tuesday"], opens: "08:00", closes: "16:30" };

const prices = pricing.prices.cards.map(({ id, price, terms }) => ({ id, price, terms }));
const questions = pricing.questions.items.map((item) => ({ ...item }));

const lede = "/about#we-automate-the-office-work-of-trade-real";
const kim = { id: "audit-lead", name: "Kim", role: "Audit lead", does: "Times the work." };

type Portrayed = { portrait: string };

describeOnEachDatabase("the site's own words", (database) => {
  const factOf = async (name: string) =>
    (await listSiteWords(database.db)).find((fact) => fact.name === name);
  /** Saves as a window does that was opened now. */
  const save = async (name: string, value: unknown) => {
    const basedOn = (await factOf(name))?.changedAt ?? null;
    return await saveSiteWord(database.db, { name, value, basedOn });
  };

  test("saved a second time replace the first, and saved as they usually are leave nothing", async () => {
    await save("newsletter", { name: "The Plumb Line" });
    await save("newsletter", { name: "  The\tLevel " });
    expect(await readSiteWords(database.db)).toEqual({ newsletter: { name: "The Level" } });
    await save("newsletter", { name: "The Matrix" });
    expect(await readSiteWords(database.db)).toBeUndefined();
  });

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
  const portrait = "data:image/jpeg;base64,PHN2Zz4=";
  const [call, ...offers] = prices;
  const keeps = "/about#we-have-done-this-with-50-gta-businesses";
  const refused: [name: string, value: unknown, problem: string][] = [
    ["hours", { ...summer, days: [] }, "Days must have at least one day."],
    ["hours", { ...summer, opens: "9 AM" }, "Opens must be a time between 00:00 and 23:59."],
    ["hours", { ...summer, closes: "08:00" }, "It must close later than it opens."],
    ["hours", "always", "Opening hours can't be read."],
    ["prices", offers, "Prices must have 3 rows."],
    [
      "prices",
      [{ ...call, price: "$50" }, ...offers],
      "The consultation's price stays $0: the whole site calls it free.",
    ],
    ["prices", [call, { price: "", terms: "x" }, call], "Offer 2: Price is required."],
    ["pricing-questions", questions.slice(1), "Questions about the bill must have 4 to 8 rows."],
    [
      "pricing-questions",
      noBooks,
      "One of the answers must keep the words “50+ local businesses”.",
    ],
    ["pricing-questions", long, "Question 1: Answer is longer than 600 characters."],
    [lede, { text: "We automate <b>offices</b>." }, "Text can't have < or >."],
    [lede, { text: "{newsletter} is ours." }, "Text can't have { or }."],
    [
      keeps,
      { text: "Often." },
      "It must keep the words “50+ GTA businesses”, which other pages have too.",
    ],
    ["/contact#get-in-touch", { text: "Hello" }, "There is no fact named “/contact#get-in-touch”."],
    ["team", [{ ...kim, portrait }], "Person 1: Portrait must be a picture of at most 300 KB."],
    [
      "team",
      [{ ...kim, portrait: "/etc/passwd" }],
      "Person 1: Portrait must be a picture of at most 300 KB.",
    ],
    ["team", [kim, kim], "Founding team can't be read."],
    [
      "busy",
      { message: "{soon}", signUp: "Later." },
      "Contact form may have {when}, {email}, {phone} and nothing else in braces.",
    ],
  ];

  test("are refused with what is wrong with them", async () => {
    for (const [name, value, problem] of refused) {
      const saved = await save(name, value);
      expect("problems" in saved ? saved.problems : [], name).toContain(problem);
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

    // A server that runs shows later changes, and says once what it leaves out.
    const settings: { words?: Readonly<Record<string, object>> } = {};
    const said: string[] = [];
    let isAway = false;
    let taken = 0;
    const watch = watchSiteWords(database.db, settings as SiteSettings, {
      leftOut: (fault) => said.push(fault),
      changed() {
        isAway = !isAway;
        if (isAway) throw new Error("The wording can't be remembered.");
        taken += 1;
      },
      failed: (error) => said.push(String(error)),
      recovered: () => said.push("recovered"),
    });
    watch.start();
    // What could not be taken over is tried again.
    await expect.poll(() => said.length).toBeGreaterThan(3);
    watch.wake();
    await expect.poll(() => taken).toBe(1);
    expect(settings.words).toEqual({ newsletter: { name: "The Level" } });
    await save("newsletter", { name: "The Plumb Line" });
    watch.wake();
    await expect.poll(() => settings.words).toEqual({ newsletter: { name: "The Plumb Line" } });
    await watch.stop();
    expect(said.filter((fault) => fault.startsWith("The row"))).toHaveLength(3);
    expect(said.slice(3, 5)).toEqual(["Error: The wording can't be remembered.", "recovered"]);

    // The form replaces what can't be read.
    expect((await factOf("hours"))?.fault).toContain("days of the week");
    expect(await save("hours", summer)).toEqual({ ok: true });
    expect((await factOf("hours"))?.fault).toBeNull();
  });

  test("take the place of the sentence that they are over, wherever it stands in its page", async () => {
    const name = "/about#software-was-supposed-to-help-mostly-it-added";
    const text = "Software was supposed to help.";
    expect(await save(name, { text: ` ${text}\n` })).toEqual({ ok: true });
    const words = await readSiteWords(database.db);
    const { why } = pageWords({ words }, about);
    expect(why.text).toEqual([about.why.text[0], text, about.why.text[2]]);
    // The delivered words have spaces that nobody can type.
    await save(name, { text: about.why.text[1].replaceAll("\u00a0", " ") });
    expect(await readSiteWords(database.db)).toBeUndefined();
  });

  test("keep who changed them when, with the words before and after, and any can be put back", async () => {
    const { db } = database;
    const texts = ["We count hours.", "We count hours twice.", footer.description];
    for (const [at, by] of [
      [0, "Noor"],
      [1, "Lee"],
      [1, "Lee"],
      [2, "Noor"],
    ] as const) {
      const basedOn = (await factOf("footer"))?.changedAt ?? null;
      await saveSiteWord(db, { name: "footer", value: { description: texts[at] }, basedOn, by });
    }
    const changes = await listWordChanges(db, "footer");
    const said = (value: unknown) => (value as { description: string }).description;
    expect(changes.map(({ by, before, after }) => [by, said(before), said(after)])).toEqual([
      ["Noor", texts[1], texts[2]],
      ["Lee", texts[0], texts[1]],
      ["Noor", texts[2], texts[0]],
    ]);
    const back = { name: "footer", at: changes[2]?.at ?? "", basedOn: null, by: "Lee" };
    expect(await putBackSiteWord(db, back)).toEqual({ ok: true });
    expect(await readSiteWords(db)).toEqual({ footer: { description: texts[0] } });
    // Not over words that its window hasn't seen.
    expect(await putBackSiteWord(db, back)).toMatchObject({
      reason: "changed_elsewhere",
      by: "Lee",
    });
    expect(await listWordChanges(db, "footer")).toHaveLength(4);
  });

  test("store a portrait with its person, and delete it when nobody has it", async () => {
    const { db } = database;
    const pictures = async () => (await db.selectFrom("pictures").select("hash").execute()).length;
    const bytes = Buffer.from("\xff\xd8\xff portrait", "latin1").toString("base64");
    await save("team", [{ ...kim, portrait: `data:image/jpeg;base64,${bytes}` }]);
    const stored = async () =>
      ((await readSiteWords(db)) as { team: Portrayed[] }).team[0]?.portrait;
    const portrait = await stored();
    expect(portrait).toMatch(/^\/pictures\/[\w-]{43}\.jpg$/);
    // It stays while only words change.
    await save("team", [{ ...kim, portrait, does: "Times it." }]);
    expect(await pictures()).toBe(1);
    const [withIt] = await listWordChanges(db, "team");
    await save("team", [{ ...kim, portrait: "" }]);
    expect(await pictures()).toBe(0);
    const basedOn = (await factOf("team"))?.changedAt ?? null;
    await putBackSiteWord(db, { name: "team", at: withIt?.at ?? "", basedOn });
    expect(await stored()).toBe("");
  });

  test("of two windows the second is refused, and is told the words of the first", async () => {
    const { db } = database;
    const name = "newsletter";
    const saveAs = (title: string, basedOn: string | null) =>
      saveSiteWord(db, { name, value: { name: title }, basedOn });
    const windows = await Promise.all(["One", "Two"].map((title) => saveAs(title, null)));
    const stored = await factOf(name);
    const refused = { ok: false, reason: "changed_elsewhere", current: stored, by: "" };
    expect(windows).toEqual(expect.arrayContaining([{ ok: true }, refused]));
    const basedOn = stored?.changedAt ?? null;
    expect((await saveAs("Three", basedOn)).ok).toBe(true);
    // Neither a change nor taking it back reaches words that its window hasn't seen.
    expect((await saveAs("Four", basedOn)).ok).toBe(false);
    expect((await takeBackSiteWord(db, { name, basedOn })).ok).toBe(false);
    expect(await readSiteWords(db)).toEqual({ newsletter: { name: "Three" } });
    const now = (await factOf(name))?.changedAt ?? null;
    expect(await takeBackSiteWord(db, { name, basedOn: now })).toEqual({ ok: true });
    expect((await saveAs("Five", now)).ok).toBe(false);
  });
});
