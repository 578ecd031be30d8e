import { expect, test } from "vitest";
import { consentText } from "#content/subscribe-form.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { unsubscribe } from "./leave.ts";
import { listSubscribers } from "./list-subscribers.ts";
import { recordBounce } from "./record-bounce.ts";
import { confirmSubscription, subscribe } from "./subscribe.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const minuteMs = 60_000;
const wording = consentText({ ...testSite, siteName: testSite.name });

describeOnEachDatabase("subscribing", (database) => {
  const newsletter = newsletterOf(database);

  test("keeps the wording, the page, the time and the address of the consent", async () => {
    const { signUp } = newsletter;
    expect(await signUp("Ana@Example.com ")).toEqual({ ok: true, duplicate: false });
    expect(await listSubscribers(database.db)).toMatchObject([
      {
        id: expect.any(Number),
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
    await newsletter.signUp("a@example.com", { referrer });
    expect((await listSubscribers(database.db))[0]?.consentPage).toBe(page);
  });

  test("writes nothing at all when the outbox can't be written", async () => {
    await database.db.schema.alterTable("outbox").renameTo("outbox_away").execute();
    await expect(newsletter.signUp("ana@example.com")).rejects.toThrow();
    await expect(newsletter.signUp("ana@example.com")).rejects.toThrow();
    expect(await listSubscribers(database.db)).toEqual([]);
  });

  test("a spelling whose mail is refused holds back no mail to another, and gets no sooner one itself", async () => {
    const { signUp } = newsletter;
    const confirming = async () =>
      (await newsletter.outbox()).flatMap(({ payload: { email, confirmToken } }) =>
        confirmToken ? [email] : [],
      );
    for (const tagged of ["ana+1@example.com", "ana+2@example.com"]) {
      await signUp(tagged, {}, minuteMs);
      const next_attempt_at = new Date(start + 600 * minuteMs).toISOString();
      const refused = { attempts: 1, refusals: 1, next_attempt_at };
      await database.db.updateTable("outbox").set(refused).execute();
      await signUp(tagged.toUpperCase(), {}, 2 * minuteMs);
      expect(await confirming()).toEqual([tagged]);
    }
    await signUp("ana@example.com", {}, 3 * minuteMs);
    expect(await confirming()).toEqual(["ana@example.com"]);
    await newsletter.deliver(3 * minuteMs);
    await signUp("ana+3@example.com", {}, 4 * minuteMs);
    expect(await confirming()).toEqual(["ana@example.com"]);
  });

  test("of fifty sign-ups at once, exactly one is not a duplicate, and one mail goes out", async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        newsletter.signUp(n % 2 ? "ana@example.com" : "Ana@Example.com"),
      ),
    );
    const fresh = results.filter((result) => result.ok && !result.duplicate);
    expect(fresh).toHaveLength(1);
    expect(await newsletter.outbox()).toHaveLength(2);
    expect(await listSubscribers(database.db)).toHaveLength(1);
  });

  test("answers for a reader as for somebody who waits, and tells the reader alone, once an hour", async () => {
    await newsletter.signUp("ana@example.com");
    const waiting = await newsletter.signUp("ana@example.com");
    await newsletter.deliver();
    await confirmSubscription(newsletter.deps(), { token: await newsletter.confirmToken() });
    expect(await newsletter.signUp("ana@example.com", {}, 30 * minuteMs)).toEqual(waiting);
    expect(await newsletter.mails()).toBe(1);
    for (const spelling of ["ana+x@example.com", "ANA@example.com"]) {
      expect(await newsletter.signUp(spelling, {}, 300 * minuteMs)).toEqual(waiting);
    }
    const { payload } = (await newsletter.outbox()).at(-1) ?? {};
    expect(payload).toMatchObject({ email: "ana@example.com", confirmToken: null });
    expect(await newsletter.mails()).toBe(2);
    expect(await listSubscribers(database.db)).toMatchObject([
      { state: "confirmed", subscribedAt: "2026-11-21T14:00:00.000Z" },
    ]);
  });

  test.each([
    "",
    "   ",
    "ana",
    "ana@example",
    "ana@exa mple.com",
    "ana@example.com\r\nBcc: x@y.example",
    "ana\ud800@example.com",
    "ana\ufffd@example.com",
    "<ana@example.com>",
    "ana@example.com,bob",
    "ana@exa%6dple.com",
    "ana@example..com",
    "=?utf-8?q?boss=40evil.example?=@example.com",
    `${"a".repeat(250)}@example.com`,
  ])("takes no address from %j, and writes nothing", async (email) => {
    expect(await newsletter.signUp(email)).toEqual({ ok: false, reason: "invalid_email" });
    expect(await listSubscribers(database.db)).toEqual([]);
    expect(await newsletter.outbox()).toEqual([]);
  });

  test("who had left stays so until a new sign-up is confirmed, by its own link alone", async () => {
    const { signUp, deps, mails, confirmToken } = newsletter;
    await signUp("ana@example.com");
    const token = await newsletter.token();
    const oldLink = await confirmToken();
    await newsletter.deliver();
    await confirmSubscription(deps(), { token: oldLink });
    await unsubscribe(deps(), { token });
    const before = await newsletter.ledger();

    const results = await Promise.all(
      Array.from({ length: 10 }, () =>
        signUp("ANA@example.com", { referrer: "/", clientAddress: null }, 61 * minuteMs),
      ),
    );
    expect(results.filter((result) => result.ok && !result.duplicate)).toHaveLength(1);
    expect(await mails()).toBe(2);
    const left = { email: "ana@example.com", state: "unsubscribed", consentPage: "/newsletter/7" };
    expect(await listSubscribers(database.db)).toMatchObject([{ ...left, token }]);
    expect((await newsletter.ledger()).slice(0, before.length)).toEqual(before);
    expect(await newsletter.events()).toEqual([
      "newsletter.subscribed",
      "newsletter.confirmed",
      "newsletter.unsubscribed",
    ]);

    for (const link of [oldLink, token]) {
      const refused = { ok: false, reason: "unsubscribed" };
      expect(await confirmSubscription(deps(), { token: link })).toEqual(refused);
    }
    expect(await confirmSubscription(deps(62 * minuteMs), { token: await confirmToken() })).toEqual(
      {
        ok: true,
      },
    );
    expect(await listSubscribers(database.db)).toMatchObject([
      {
        email: "ANA@example.com",
        state: "confirmed",
        subscribedAt: "2026-11-21T15:01:00.000Z",
        consentPage: "/",
        consentAddress: null,
        token,
      },
    ]);
    expect((await newsletter.events()).at(-1)).toBe("newsletter.confirmed");
    expect((await newsletter.ledger()).slice(0, before.length)).toEqual(before);
  });

  test("who bounced and then left is a reader again by confirming: the address has taken a mail", async () => {
    const { db } = database;
    const { deps, signUp, confirmToken } = newsletter;
    const hourMs = 60 * minuteMs;
    await signUp("ana@example.com");
    await confirmSubscription(deps(), { token: await confirmToken() });
    const refusal = { kind: "hard", answer: "550 5.1.1 No such user" } as const;
    const now = new Date(start + minuteMs);
    await db
      .transaction()
      .execute((trx) => recordBounce(trx, { mailbox: "ana@example.com", refusal, now }));
    await unsubscribe(deps(2 * minuteMs), { email: "ana@example.com" });
    await signUp("ana@example.com", {}, 2 * hourMs);
    await confirmSubscription(deps(3 * hourMs), { token: await confirmToken() });
    expect((await listSubscribers(db))[0]?.state).toBe("confirmed");
  });

  test("who leaves takes back what waits to be mailed", async () => {
    const { signUp, deps, mails } = newsletter;
    await signUp("ana@example.com");
    expect(await mails()).toBe(1);
    await unsubscribe(deps(), { token: await newsletter.token() });
    expect(await mails()).toBe(0);
  });

  test("the ledger takes no change, and no entry leaves it before its subscriber", async () => {
    const { db } = database;
    await newsletter.signUp("ana@example.com");
    await expect(db.updateTable("consent_events").set({ page: "/" }).execute()).rejects.toThrow(
      "append only",
    );
    await expect(db.deleteFrom("consent_events").execute()).rejects.toThrow("append only");
    await expect(db.updateTable("consent_wordings").set({ wording: "" }).execute()).rejects.toThrow(
      "append only",
    );
    await db.deleteFrom("subscribers").execute();
    expect(await newsletter.ledger()).toEqual([]);
  });

  test("confirming and leaving tell the webhook once each, however often the links are used", async () => {
    const { signUp, deps } = newsletter;
    await signUp("ana@example.com");
    const token = await newsletter.token();
    const confirmToken = await newsletter.confirmToken();
    for (let n = 0; n < 3; n += 1) {
      expect(await confirmSubscription(deps(), { token: confirmToken })).toEqual({ ok: true });
    }
    expect(await listSubscribers(database.db, { state: "confirmed" })).toHaveLength(1);
    for (let n = 0; n < 3; n += 1) {
      expect(await unsubscribe(deps(), { token })).toEqual({ ok: true });
    }
    expect(await listSubscribers(database.db, { state: "unsubscribed" })).toHaveLength(1);
    expect(await listSubscribers(database.db, { state: "confirmed" })).toEqual([]);
    expect(await newsletter.events()).toEqual([
      "newsletter.subscribed",
      "newsletter.confirmed",
      "newsletter.unsubscribed",
    ]);
  });

  test.each(["", "x", "a".repeat(43), "\u0000".repeat(43), "%", "a' or '1'='1"])(
    "knows no subscriber by the token %j",
    async (token) => {
      await newsletter.signUp("ana@example.com");
      const unknown = { ok: false, reason: "unknown_token" };
      expect(await confirmSubscription(newsletter.deps(), { token })).toEqual(unknown);
      expect(await unsubscribe(newsletter.deps(), { token })).toEqual(unknown);
    },
  );
});

function origin(email: string, changes: object = {}) {
  return {
    email,
    referrer: "https://chalkline.example/newsletter/7?x=1" as string | null,
    requestUrl: "http://localhost:3000/functions/v1/newsletter-signup",
    clientAddress: "203.0.113.9" as string | null,
    ...changes,
  };
}

function newsletterOf(database: TestDatabase) {
  const deps = (afterMs = 0) => ({
    db: database.db,
    site: testSite,
    newsletterWebhookUrl: "https://hooks.example/x",
    wakeOutbox: () => {},
    clock: () => new Date(start + afterMs),
  });
  const outbox = async () => {
    const rows = await database.db.selectFrom("outbox").selectAll().orderBy("id").execute();
    return rows.map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) }));
  };
  return {
    deps,
    outbox,
    /** As the worker does, at the moment after the start that is given. */
    deliver: async (afterMs = 0) => {
      const delivered_at = new Date(start + afterMs).toISOString();
      await database.db
        .updateTable("outbox")
        .set({ delivered_at })
        .where("delivered_at", "is", null)
        .execute();
    },
    signUp: (email: string, changes: object = {}, afterMs = 0) =>
      subscribe(deps(afterMs), origin(email, changes)),
    events: async () => (await outbox()).flatMap(({ payload }) => payload.type ?? []),
    ledger: () => database.db.selectFrom("consent_events").selectAll().orderBy("id").execute(),
    confirmToken: async () => (await listSubscribers(database.db))[0]?.confirmToken ?? "",
    mails: async () => (await outbox()).filter((row) => row.kind === "confirmation-email").length,
    token: async () => (await listSubscribers(database.db))[0]?.token ?? "",
  };
}
