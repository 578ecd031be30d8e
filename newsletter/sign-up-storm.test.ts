import { expect, test } from "vitest";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { removeSubscriber, unsubscribe } from "./leave.ts";
import { listSubscribers } from "./list-subscribers.ts";
import { eraseMailbox } from "./privacy.ts";
import { confirmSubscription, releaseSubscriber, subscribe } from "./subscribe.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const minuteMs = 60_000;
const stranger = "pat.lee@gmail.com";
const spellings = [
  stranger,
  "PAT.LEE@gmail.com",
  "patlee@gmail.com",
  "p.a.t.l.e.e@googlemail.com",
  "pat.lee+news@gmail.com",
  "pat.lee+1@gmail.com",
  "pat.lee+2@gmail.com",
  "ｐａｔ.lee@gmail.com",
  "pat.lee@gmail.com.",
  "pat.\u00adlee@gm\u200bail.com",
];

describeOnEachDatabase("a storm of sign-ups for somebody else", (database) => {
  const mails = () => confirmationMails(database);

  test("mails the mailbox once, however its address is spelled and wherever they come from", async () => {
    const storm = await Promise.all(
      Array.from({ length: 70 }, (_, n) =>
        signUp(database, spellings[n % spellings.length] ?? stranger, {
          clientAddress: `203.0.113.${n}`,
        }),
      ),
    );
    expect(storm.every((result) => result.ok)).toBe(true);
    expect(await mails()).toHaveLength(1);
    for (const email of spellings) await signUp(database, email, { afterMs: 59 * minuteMs });
    expect(await mails()).toHaveLength(1);
  });

  test("mails it once from two servers at the same moment", async () => {
    const other = await database.connect();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        signUp(database, `pat+${n}@example.com`, { db: n % 2 ? other.db : database.db }),
      ),
    );
    expect(await mails()).toHaveLength(1);
  });

  test("sends nothing while an earlier mail waits for the mail server, however long that takes", async () => {
    await signUp(database, "pat@example.com");
    for (let hours = 1; hours <= 5; hours += 1) {
      const again = await signUp(database, "pat@example.com", { afterMs: hours * 61 * minuteMs });
      expect(again).toEqual({ ok: true, duplicate: true });
    }
    await signUp(database, "pat+x@example.com", { afterMs: 400 * minuteMs });
    expect(await mails()).toHaveLength(1);
    // It arrives at last; the hour begins with its arrival.
    await deliver(database, 400 * minuteMs);
    await signUp(database, "pat@example.com", { afterMs: 459 * minuteMs });
    expect(await mails()).toHaveLength(1);
    await signUp(database, "pat@example.com", { afterMs: 461 * minuteMs });
    expect(await mails()).toHaveLength(2);
  });

  test("mails an address that leaves and is signed up again within the hour when the hour is over", async () => {
    await signUp(database, "pat@example.com");
    const [{ token } = { token: "" }] = await listSubscribers(database.db);
    await deliver(database);
    for (let n = 1; n <= 5; n += 1) {
      await unsubscribe(depsOf(database, n * minuteMs), { token });
      const again = await signUp(database, "pat@example.com", { afterMs: n * minuteMs });
      expect(again).toEqual({ ok: true, duplicate: false });
    }
    expect(await mailMinutes(database)).toEqual([0, 60]);
  });

  test.each(["erased", "removed"])(
    "mails a mailbox that was %s within the hour when the hour is over",
    async (gone) => {
      const deps = { ...depsOf(database), now: new Date(start + minuteMs) };
      const forget = gone === "erased" ? eraseMailbox : removeSubscriber;
      await signUp(database, "pat@example.com");
      await deliver(database);
      await forget(deps, { email: "PAT+x@example.com" });
      await signUp(database, "pat@example.com", { afterMs: 2 * minuteMs });
      expect(await mailMinutes(database)).toEqual([60]);
    },
  );
});

describeOnEachDatabase("a held sign-up", (database) => {
  const mails = () => confirmationMails(database);
  const held = () => listSubscribers(database.db, { held: true });
  const release = (email: string, afterMs = 0) =>
    releaseSubscriber({ ...depsOf(database), now: new Date(start + afterMs) }, { email });
  const suspicion = "hidden_field" as const;

  test("is kept with its consent, answered as usual, and nothing goes out but the operator's note", async () => {
    expect(await signUp(database, "pat@example.com", { suspicion })).toEqual({
      ok: true,
      duplicate: false,
    });
    expect(await held()).toMatchObject([
      { email: "pat@example.com", heldReason: "hidden_field", consentAddress: "203.0.113.9" },
    ]);
    expect(await outboxKinds(database)).toEqual(["held-email"]);
  });

  test("goes on when it is released: mail and webhook, once", async () => {
    await signUp(database, "pat@example.com", { suspicion });
    expect(await release("Pat@example.com")).toMatchObject({ ok: true, email: "pat@example.com" });
    expect(await held()).toEqual([]);
    expect(await outboxKinds(database)).toEqual([
      "held-email",
      "confirmation-email",
      "newsletter-webhook",
    ]);
    expect(await release("pat@example.com")).toEqual({ ok: false, reason: "not_held" });
    expect(await release("pat+x@example.com")).toEqual({ ok: false, reason: "not_held" });
    expect(await release("nobody@example.com")).toEqual({
      ok: false,
      reason: "unknown_subscriber",
    });
  });

  test("goes on by itself when the same person signs up again as people do", async () => {
    await signUp(database, "pat@example.com", { suspicion });
    expect(await signUp(database, "pat@example.com", { afterMs: minuteMs })).toEqual({
      ok: true,
      duplicate: false,
    });
    expect(await held()).toEqual([]);
    expect(await mails()).toHaveLength(1);
  });

  test("of somebody who had left leaves them so, its release too, until they confirm", async () => {
    await signUp(database, "pat@example.com");
    const [{ token } = { token: "" }] = await listSubscribers(database.db);
    await deliver(database);
    await unsubscribe(depsOf(database), { token });
    await signUp(database, "pat@example.com", { suspicion, afterMs: 90 * minuteMs });
    expect(await held()).toMatchObject([{ state: "unsubscribed" }]);
    expect(await confirmSubscription(depsOf(database), { token })).toMatchObject({ ok: false });
    await release("pat@example.com", 91 * minuteMs);
    expect(await listSubscribers(database.db)).toMatchObject([{ state: "unsubscribed", token }]);
    expect(await mails()).toHaveLength(2);
    const [{ confirmToken } = { confirmToken: null }] = await listSubscribers(database.db);
    await confirmSubscription(depsOf(database), { token: confirmToken ?? "" });
    expect(await listSubscribers(database.db)).toMatchObject([{ state: "confirmed", token }]);
  });

  test("changes nothing for a confirmed reader, and is answered as a new one all the same", async () => {
    await signUp(database, "pat@example.com");
    const [{ confirmToken } = { confirmToken: null }] = await listSubscribers(database.db);
    await confirmSubscription(depsOf(database), { token: confirmToken ?? "" });
    expect(await signUp(database, "pat@example.com", { suspicion })).toEqual({
      ok: true,
      duplicate: false,
    });
    expect(await held()).toEqual([]);
    expect(await listSubscribers(database.db)).toMatchObject([{ state: "confirmed" }]);
  });

  test("is released into the hour after the mailbox's last mail", async () => {
    await signUp(database, "pat@example.com");
    const [{ token } = { token: "" }] = await listSubscribers(database.db);
    await deliver(database);
    await unsubscribe(depsOf(database), { token });
    await signUp(database, "pat+a@example.com", { suspicion });
    expect(await release("pat@example.com", minuteMs)).toMatchObject({
      ok: true,
      email: "pat+a@example.com",
      mailAt: new Date(start + 60 * minuteMs),
    });
    expect(await mailMinutes(database)).toEqual([0, 60]);
  });
});

type Circumstances = {
  afterMs?: number;
  clientAddress?: string;
  suspicion?: "hidden_field";
  db?: TestDatabase["db"];
};

function depsOf({ db }: Pick<TestDatabase, "db">, afterMs = 0) {
  return {
    db,
    site: testSite,
    newsletterWebhookUrl: "https://hooks.example/x",
    wakeOutbox: () => {},
    clock: () => new Date(start + afterMs),
  };
}

function signUp(
  database: TestDatabase,
  email: string,
  { afterMs = 0, clientAddress = "203.0.113.9", suspicion, db = database.db }: Circumstances = {},
) {
  const origin = { referrer: "/newsletter", requestUrl: testSite.url, clientAddress };
  return subscribe(depsOf({ db }, afterMs), { email, ...origin, suspicion });
}

async function deliver({ db }: TestDatabase, afterMs = 0) {
  await db
    .updateTable("outbox")
    .set({ delivered_at: new Date(start + afterMs).toISOString() })
    .where("delivered_at", "is", null)
    .execute();
}

async function outboxKinds({ db }: TestDatabase): Promise<string[]> {
  const rows = await db.selectFrom("outbox").select("kind").orderBy("id").execute();
  return rows.map(({ kind }) => kind);
}

async function confirmationMails(database: TestDatabase): Promise<string[]> {
  return (await outboxKinds(database)).filter((kind) => kind === "confirmation-email");
}

/** When each confirmation mail is due, in minutes after the start. */
async function mailMinutes({ db }: TestDatabase): Promise<number[]> {
  const rows = await db
    .selectFrom("outbox")
    .select("next_attempt_at")
    .where("kind", "=", "confirmation-email")
    .orderBy("id")
    .execute();
  return rows.map((row) => (Date.parse(row.next_attempt_at) - start) / minuteMs);
}
