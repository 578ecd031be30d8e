import { beforeEach, expect, test } from "vitest";
import { consentText } from "#content/subscribe-form.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { signUp as visitorSignsUp } from "#tests/visitors.ts";
import { findSubscriber, listSubscribers } from "./list-subscribers.ts";
import { eraseMailbox, proveConsent } from "./person.ts";
import {
  addByHand,
  type ByHand,
  confirmSubscription,
  endImpliedConsents,
  subscribe,
  unsubscribe,
} from "./subscribe.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");

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

const now = new Date("2026-11-28T15:00:00.000Z");

describeOnEachDatabase("a subscriber whom the owner adds", (database) => {
  let deps: Parameters<typeof addByHand>[0];
  beforeEach(() => {
    deps = { db: database.db, newsletterWebhookUrl: null, now };
  });

  const ann: ByHand = {
    email: "ann@example.com",
    kind: "express",
    how: "Signed the card at the fair.",
    day: "2026-11-20",
  };
  const add = (given: Partial<ByHand> = {}) => addByHand(deps, { ...ann, ...given });

  test("is confirmed with the owner's words as proof, and gets no mail", async () => {
    const added = await add();
    expect(added).toMatchObject({ ok: true });
    expect(await listSubscribers(database.db, { find: "EXAMPLE ann@" })).toMatchObject([
      {
        state: "confirmed",
        subscribedAt: "2026-11-20T05:00:00.000Z",
        consentText: expect.stringContaining("Signed the card at the fair."),
      },
    ]);
    const proof = await proveConsent(database.db, ann.email);
    const wording = expect.stringMatching(/Express consent, of 2026-11-20\..*Signed the card/s);
    expect(proof?.entries).toContainEqual(expect.objectContaining({ wording }));
    expect(await database.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("is refused with the reason where the proof is missing or over, or the person is known", async () => {
    const { db } = database;
    const implied = { kind: "question", day: "2026-05-28" };
    for (const [given, words] of [
      [{ email: "ann" }, "no address"],
      [{ how: "  " }, "how they agreed"],
      [{ kind: "toString" }, "which kind"],
      [{ day: "2026-02-30" }, "on which day"],
      [{ day: "2026-11-29" }, "still to come"],
      [implied, "too long ago"],
    ] as const) {
      const problem = expect.stringContaining(words);
      expect(await add(given)).toMatchObject({ ok: false, problem });
    }
    expect(await add({ ...implied, kind: "purchase" })).toMatchObject({ ok: true });
    const known = async (words: string) =>
      expect(await add()).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
    await known("until the consent that you wrote down ends");
    await unsubscribe({ ...deps, db, wakeOutbox() {}, clock: () => now }, { email: ann.email });
    await known("has left");
    await eraseMailbox({ ...deps, db }, { email: ann.email });
    await known("was erased");
    // A subscriber who has only asked is confirmed by it.
    await visitorSignsUp(db, "bo@example.com", { at: now });
    expect(await add({ email: "bo@example.com" })).toMatchObject({ ok: true });
    expect(await listSubscribers(db)).toMatchObject([{ state: "confirmed" }]);
  });

  test("by an implied consent who signs up and confirms has agreed for good", async () => {
    const { db } = database;
    const added = await add({ kind: "question", day: "2026-06-01" });
    await visitorSignsUp(db, ann.email, { at: now });
    const visitor = { ...deps, site: testSite, db, wakeOutbox() {}, clock: () => now };
    expect(await listSubscribers(db)).toMatchObject([{ state: "confirmed" }]);
    const { confirm_token: token } = await db
      .selectFrom("subscribers")
      .select("confirm_token")
      .executeTakeFirstOrThrow();
    expect(await confirmSubscription(visitor, { token: token ?? "" })).toEqual({ ok: true });
    const later = new Date("2026-12-02T15:00:00.000Z");
    expect(await endImpliedConsents(db, { now: later, newsletterWebhookUrl: null })).toBe(0);
    if (added.ok) {
      expect(await findSubscriber(db, added.id)).toMatchObject({
        state: "confirmed",
        consentEndsAt: null,
      });
    }
  });
});
