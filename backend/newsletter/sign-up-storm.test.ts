import { expect, test } from "vitest";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { confirmSubscription } from "./confirm-subscription.ts";
import { listSubscribers } from "./list-subscribers.ts";
import { releaseSubscriber } from "./release-subscriber.ts";
import { subscribe } from "./subscribe.ts";
import { unsubscribe } from "./unsubscribe.ts";

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

  test("keeps every other spelling, held, and answers it like any sign-up", async () => {
    const first = await signUp(database, "pat@example.com");
    const second = await signUp(database, "pat+news@example.com");
    expect(second).toEqual(first);
    expect(await listSubscribers(database.db, { held: true })).toMatchObject([
      { email: "pat+news@example.com", heldReason: "same_mailbox" },
    ]);
  });

  test("sends nothing while an earlier mail waits for the mail server, however long that takes", async () => {
    await signUp(database, "pat@example.com");
    for (let hours = 1; hours <= 5; hours += 1) {
      const again = await signUp(database, "pat@example.com", { afterMs: hours * 61 * minuteMs });
      expect(again).toMatchObject({ state: "unconfirmed" });
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

  test("sends no second mail to an address that leaves and is signed up again within the hour", async () => {
    await signUp(database, "pat@example.com");
    const [{ token } = { token: "" }] = await listSubscribers(database.db);
    await deliver(database);
    const deps = depsOf(database);
    for (let n = 1; n <= 5; n += 1) {
      await unsubscribe(deps, { token });
      const again = await signUp(database, "pat@example.com", { afterMs: n * minuteMs });
      expect(again).toMatchObject({ ok: true, duplicate: true, state: "unconfirmed" });
    }
    expect(await mails()).toHaveLength(1);
    expect(await confirmSubscription(deps, { token })).toEqual({ ok: true });
  });

  test("is over after an hour: another spelling is mailed", async () => {
    await signUp(database, "pat@example.com");
    await deliver(database);
    await signUp(database, "pat+news@example.com", { afterMs: 61 * minuteMs });
    expect(await mails()).toHaveLength(2);
  });

  test("does not hold up other people, at the same domain either", async () => {
    for (const name of ["ana", "bo", "c.d", "cd"]) await signUp(database, `${name}@example.com`);
    expect(await mails()).toHaveLength(4);
  });
});

describeOnEachDatabase("a held sign-up", (database) => {
  const mails = () => confirmationMails(database);
  const held = () => listSubscribers(database.db, { held: true });
  const release = (email: string, afterMs = 0) =>
    releaseSubscriber({ ...depsOf(database), now: new Date(start + afterMs) }, { email });
  const suspicion = "too_fast" as const;

  test("is kept with its consent, answered as usual, and nothing goes out but the operator's note", async () => {
    expect(await signUp(database, "pat@example.com", { suspicion })).toEqual({
      ok: true,
      duplicate: false,
    });
    expect(await held()).toMatchObject([
      { email: "pat@example.com", heldReason: "too_fast", consentAddress: "203.0.113.9" },
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

  test("of somebody who had left leaves them unsubscribed until its release", async () => {
    await signUp(database, "pat@example.com");
    const [{ token } = { token: "" }] = await listSubscribers(database.db);
    await unsubscribe(depsOf(database), { token });
    await deliver(database);
    await signUp(database, "pat@example.com", { suspicion, afterMs: 90 * minuteMs });
    expect(await held()).toMatchObject([{ state: "unsubscribed" }]);
    expect(await confirmSubscription(depsOf(database), { token })).toMatchObject({ ok: false });
    await release("pat@example.com", 91 * minuteMs);
    expect(await listSubscribers(database.db)).toMatchObject([{ state: "unconfirmed", token }]);
    expect(await mails()).toHaveLength(2);
  });

  test("changes nothing for a confirmed reader", async () => {
    await signUp(database, "pat@example.com");
    const [{ token } = { token: "" }] = await listSubscribers(database.db);
    await confirmSubscription(depsOf(database), { token });
    expect(await signUp(database, "pat@example.com", { suspicion })).toMatchObject({
      state: "confirmed",
    });
    expect(await held()).toEqual([]);
  });

  test("releases of one mailbox's spellings are mailed an hour apart", async () => {
    for (const tag of ["a", "b", "c"]) {
      await signUp(database, `pat+${tag}@example.com`, { suspicion });
    }
    for (const tag of ["a", "b", "c"]) await release(`pat+${tag}@example.com`);
    const rows = await database.db
      .selectFrom("outbox")
      .select("next_attempt_at")
      .where("kind", "=", "confirmation-email")
      .orderBy("id")
      .execute();
    expect(rows.map((row) => (Date.parse(row.next_attempt_at) - start) / minuteMs)).toEqual([
      0, 60, 120,
    ]);
  });
});

type Circumstances = {
  afterMs?: number;
  clientAddress?: string;
  suspicion?: "too_fast";
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
