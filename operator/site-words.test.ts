import { expect, test } from "vitest";
import { ownWords, pageWords } from "#content/own-words.ts";
import { about } from "#content/pages/about.ts";
import { home } from "#content/pages/home.ts";
import { pricing } from "#content/pages/pricing.ts";
import { footer } from "#content/site.ts";
import { team } from "#content/team.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
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

  const refused: [name: string, value: unknown, problem: string][] = [
    ["hours", { ...summer, days: [] }, "Days must have at least one day."],
    ["hours", { ...summer, opens: "9 AM" }, "Opens must be a time between 00:00 and 23:59."],
    ["hours", { ...summer, closes: "08:00" }, "It must close later than it opens."],
    ["hours", "always", "Opening hours can't be read."],
    ["prices", prices.slice(1), "Prices must have 3 rows."],
    ["pricing-questions", questions.slice(1), "Questions about the bill must have 4 to 8 rows."],
    [lede, { text: "We automate <b>offices</b>." }, "Text can't have < or >."],
    [lede, { text: "x".repeat(201) }, "Text is longer than 200 characters."],
    [lede, { text: "{newsletter} is ours." }, "Text can't have { or }."],
    [
      "/about#we-have-done-this-with-50-gta-businesses",
      { text: "We have done this often." },
      "It must keep the words “50+ GTA businesses”, which other pages have too.",
    ],
    ["/contact#get-in-touch", { text: "Hello" }, "There is no fact named “/contact#get-in-touch”."],
    [
      "team",
      [{ ...kim, portrait: "/etc/passwd" }],
      "Person 1: Portrait must be a picture of at most 300 KB.",
    ],
    [
      "team",
      [{ ...kim, portrait: "data:image/jpeg;base64,PHN2Zz4=" }],
      "Person 1: Portrait must be a picture of at most 300 KB.",
    ],
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
    await expect.poll(() => settings.words).toEqual({ newsletter: { name: "The Level" } });
    // What could not be taken over is tried again.
    watch.wake();
    await expect.poll(() => taken).toBe(1);
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

  test("stay those of the person when another one leaves the team or comes to it", async () => {
    const [first, second, third] = team.map(({ id, role, does }) => ({ id, role, does, name: "" }));
    const kim = { ...second, name: "Kim" };
    expect(await save("team", [kim, third, { ...first, id: "", name: "Lee" }])).toEqual({
      ok: true,
    });
    const words = await readSiteWords(database.db);
    expect(ownWords({ words }, "team", team).map(({ name, signs }) => ({ name, signs }))).toEqual([
      { name: "Kim", signs: "Checked by" },
      { name: "", signs: "Built by" },
      { name: "Lee", signs: undefined },
    ]);
    const twice = await save("team", [kim, kim]);
    expect(twice.ok).toBe(false);
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
    const change = async (description: string, by: string) => {
      const basedOn = (await factOf("footer"))?.changedAt ?? null;
      await saveSiteWord(database.db, { name: "footer", value: { description }, basedOn, by });
    };
    await change("We count hours.", "Noor");
    await change("We count hours twice.", "Lee");
    await change("We count hours twice.", "Lee");
    await change(footer.description, "Noor");
    const changes = await listWordChanges(database.db, "footer");
    expect(changes.map(({ by, before, after }) => ({ by, before, after }))).toEqual([
      {
        by: "Noor",
        before: { description: "We count hours twice." },
        after: { description: footer.description },
      },
      {
        by: "Lee",
        before: { description: "We count hours." },
        after: { description: "We count hours twice." },
      },
      {
        by: "Noor",
        before: { description: footer.description },
        after: { description: "We count hours." },
      },
    ]);
    const at = changes[2]?.at ?? "";
    expect(
      await putBackSiteWord(database.db, { name: "footer", at, basedOn: null, by: "Lee" }),
    ).toEqual({ ok: true });
    expect(await readSiteWords(database.db)).toEqual({
      footer: { description: "We count hours." },
    });
    // Not over words that its window hasn't seen.
    const late = { name: "footer", at, basedOn: null, by: "Noor" };
    expect(await putBackSiteWord(database.db, late)).toMatchObject({
      reason: "changed_elsewhere",
      by: "Lee",
    });
    expect(await listWordChanges(database.db, "footer")).toHaveLength(4);
  });

  test("store a portrait with its person, and delete it when nobody has it", async () => {
    const { db } = database;
    const pictures = async () =>
      (await db.selectFrom("pictures").select("size_bytes").execute()).length;
    const portrait = `data:image/jpeg;base64,${Buffer.from("\xff\xd8\xff portrait", "latin1").toString("base64")}`;
    expect(await save("team", [{ ...kim, portrait }])).toEqual({ ok: true });
    const { team: [stored] = [] } = ((await readSiteWords(db)) ?? {}) as { team?: Portrayed[] };
    expect(stored?.portrait).toMatch(/^\/pictures\/[\w-]{43}\.jpg$/);
    expect(await pictures()).toBe(1);
    // It stays while only words change.
    await save("team", [{ ...kim, portrait: stored?.portrait, does: "Times it." }]);
    expect(await pictures()).toBe(1);
    const withIt = (await listWordChanges(db, "team"))[0]?.at ?? "";
    await save("team", [{ ...kim, portrait: "" }]);
    expect(await pictures()).toBe(0);
    const basedOn = (await factOf("team"))?.changedAt ?? null;
    await putBackSiteWord(db, { name: "team", at: withIt, basedOn });
    expect(await readSiteWords(db)).toEqual({
      team: [{ ...kim, does: "Times it.", portrait: "" }],
    });
  });

  test("that were stored without ids keep their meaning by their place", async () => {
    const stored = team.slice(0, 2).map(({ role, does }, at) => ({ role, does, name: `N${at}` }));
    const changed_at = "2026-11-27T12:00:00.000Z";
    await database.db
      .insertInto("site_words")
      .values({ name: "team", value: JSON.stringify(stored), changed_at })
      .execute();
    const words = await readSiteWords(database.db);
    expect(ownWords({ words }, "team", team)).toMatchObject([
      { name: "N0", signs: "Drawn by" },
      { name: "N1", signs: "Checked by" },
    ]);
  });

  test("of two windows the second is refused, and is told the words of the first", async () => {
    const { db } = database;
    const [first] = home.questions.items;
    const items = (answer: string) =>
      home.questions.items.map((item) => (item.id === first.id ? { ...item, answer } : item));
    const name = "home-questions";
    const windows = await Promise.all(
      ["One.", "Two."].map((answer) =>
        saveSiteWord(db, { name, value: items(answer), basedOn: null }),
      ),
    );
    const refused = windows.find(({ ok }) => !ok);
    const stored = await factOf(name);
    expect(windows.filter(({ ok }) => ok)).toHaveLength(1);
    expect(refused).toEqual({ ok: false, reason: "changed_elsewhere", current: stored, by: "" });
    const basedOn = stored?.changedAt ?? null;
    expect((await saveSiteWord(db, { name, value: items("Three."), basedOn })).ok).toBe(true);
    // Neither a change nor taking it back reaches words that its window hasn't seen.
    expect((await saveSiteWord(db, { name, value: items("Four."), basedOn })).ok).toBe(false);
    expect((await takeBackSiteWord(db, { name, basedOn })).ok).toBe(false);
    expect(await readSiteWords(db)).toEqual({ [name]: items("Three.") });
    const now = (await factOf(name))?.changedAt ?? null;
    expect(await takeBackSiteWord(db, { name, basedOn: now })).toEqual({ ok: true });
    expect((await saveSiteWord(db, { name, value: items("Five."), basedOn: now })).ok).toBe(false);
  });
});
