import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { consentText } from "#content/subscribe-form.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { listSubscribers } from "./list-subscribers.ts";
import { rememberWording, subscribe } from "./subscribe.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const minuteMs = 60_000;

describeOnEachDatabase("subscribing", (database) => {
  const deps = (afterMs = 0) => ({
    db: database.db,
    site: testSite,
    newsletterWebhookUrl: "https://hooks.example/x",
    wakeOutbox: () => {},
    clock: () => new Date(start + afterMs),
  });
  const signUp = (email: string, afterMs = 0, referrer: string | null = "/newsletter/7") =>
    subscribe(deps(afterMs), {
      email,
      referrer,
      requestUrl: "http://localhost:3000/functions/v1/newsletter-signup",
      clientAddress: "203.0.113.9",
    });
  const outbox = () => database.db.selectFrom("outbox").selectAll().orderBy("id").execute();

  test("keeps the wording, the page, the time and the address of the consent", async () => {
    const wording = consentText({ ...testSite, siteName: testSite.name });
    expect(await signUp("Ana@Example.com ")).toEqual({ ok: true, duplicate: false });
    expect(await listSubscribers(database.db)).toMatchObject([
      {
        email: "Ana@Example.com",
        state: "unconfirmed",
        subscribedAt: "2026-11-21T14:00:00.000Z",
        confirmedAt: null,
        unsubscribedAt: null,
        consentText: wording,
        consentPage: "/newsletter/7",
        consentAddress: "203.0.113.9",
        token: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    for (const fact of [testSite.name, testSite.street, testSite.email, "unsubscribe"]) {
      expect(wording).toContain(fact);
    }
  });

  test("keeps the wording that an open page showed, and the present one where it names none of ours", async () => {
    const { db } = database;
    const shown = consentText({ ...testSite, siteName: testSite.name });
    await rememberWording(db, testSite);
    const renamed = { ...deps(), site: { ...testSite, name: "Renamed & Co" } };
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const visit = { referrer: null, requestUrl: testSite.url, clientAddress: null };
    await subscribe(renamed, { email: "a@example.com", wordingHash: sha256(shown), ...visit });
    await subscribe(renamed, { email: "b@example.com", wordingHash: sha256("ours?"), ...visit });
    const [first, second] = await listSubscribers(db);
    expect(first?.consentText).toBe(shown);
    expect(second?.consentText).toContain("Renamed & Co");
  });

  test.each([
    ["https://chalkline.example/newsletter/7?utm=x#y", "/newsletter/7"],
    ["http://localhost:3000/newsletter", "/newsletter"],
    ["/newsletter", "/newsletter"],
    ["https://other.example/newsletter", null],
    ["//other.example/newsletter", null],
    ["https://", null],
    [null, null],
  ])("of the referrer %s keeps the page %s", async (referrer, page) => {
    await signUp("a@example.com", 0, referrer);
    expect((await listSubscribers(database.db))[0]?.consentPage).toBe(page);
  });

  test("a spelling whose mail is refused delays no mail to another, and gets no sooner one itself", async () => {
    const mailed = async () =>
      (await outbox())
        .filter(({ kind }) => kind === "confirmation-email")
        .map(({ payload }) => JSON.parse(payload).email);
    for (const tagged of ["ana+1@example.com", "ana+2@example.com"]) {
      await signUp(tagged, minuteMs);
      const next_attempt_at = new Date(start + 600 * minuteMs).toISOString();
      const refused = { attempts: 1, refusals: 1, next_attempt_at };
      await database.db.updateTable("outbox").set(refused).execute();
      await signUp(tagged.toUpperCase(), 2 * minuteMs);
      expect(await mailed()).toEqual([tagged]);
    }
    await signUp("ana@example.com", 3 * minuteMs);
    expect(await mailed()).toEqual(["ana@example.com"]);
    const delivered_at = new Date(start + 3 * minuteMs).toISOString();
    await database.db.updateTable("outbox").set({ delivered_at }).execute();
    await signUp("ana+3@example.com", 4 * minuteMs);
    expect(await mailed()).toEqual(["ana@example.com"]);
  });

  test.each([
    "",
    "ana",
    "ana@example.com\r\nBcc: x@y.example",
    "ana@example.com, x@y.example",
    "@y.example:ana@example.com",
    "ana\ud800@example.com",
    "ana@exa%6dple.com",
    "=?utf-8?q?boss=40evil.example?=@example.com",
    `${"a".repeat(250)}@example.com`,
  ])("takes no address from %j, and writes nothing", async (email) => {
    expect(await signUp(email)).toEqual({ ok: false, reason: "invalid_email" });
    expect(await listSubscribers(database.db)).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  test("the ledger takes no change, and no entry leaves it before its subscriber", async () => {
    const { db } = database;
    await signUp("ana@example.com");
    for (const change of [
      db.updateTable("consent_events").set({ page: "/" }),
      db.deleteFrom("consent_events"),
      db.updateTable("consent_wordings").set({ wording: "" }),
    ]) {
      await expect(change.execute()).rejects.toThrow("append only");
    }
    await db.deleteFrom("subscribers").execute();
    expect(await db.selectFrom("consent_events").selectAll().execute()).toEqual([]);
  });
});
