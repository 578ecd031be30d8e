import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { sendMessage } from "#tests/visitors.ts";
import { importSubscribers } from "./import-list.ts";
import { deleteExpired } from "./retention.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const data = folderForEachTest();

describeOnEachDatabase("deleteExpired", (database) => {
  const deps = () => ({ db: database.db, dataDir: data.path, newsletterWebhookUrl: null });
  const expire = (at = now) => deleteExpired(deps(), at);
  const addMessage = (email: string, receivedAt: string) =>
    sendMessage(database.db, { email }, { at: new Date(receivedAt) });

  test("deletes messages two years after the address's last one, and keeps a conversation whole", async () => {
    const { db } = database;
    await addMessage("gone@one.example", "2024-11-21T11:59:59.000Z");
    await addMessage("kept@two.example", "2024-11-21T12:00:00.000Z");
    await addMessage("Still@Writing.example", "2021-03-01T00:00:00.000Z");
    await addMessage("still@writing.example", "2026-01-01T00:00:00.000Z");
    await db
      .updateTable("contact_messages")
      .set({ held_at: "2024", held_reason: "hidden_field" })
      .where("email", "=", "gone@one.example")
      .execute();
    expect(await expire()).toMatchObject({ messages: 1 });
    const left = await db.selectFrom("contact_messages").select("email").orderBy("id").execute();
    expect(left.map(({ email }) => email)).toEqual([
      "kept@two.example",
      "Still@Writing.example",
      "still@writing.example",
    ]);
  });

  test("forgets a message's network address after ninety days, and nothing else of it", async () => {
    const { db } = database;
    await addMessage("old@one.example", "2026-08-23T11:59:59.000Z");
    await addMessage("new@two.example", "2026-08-23T12:00:00.000Z");
    expect(await expire()).toMatchObject({ messages: 0, messageAddresses: 1 });
    const rows = db.selectFrom("contact_messages").select(["email", "sender_address"]);
    expect(await rows.orderBy("id").execute()).toEqual([
      { email: "old@one.example", sender_address: null },
      { email: "new@two.example", sender_address: "203.0.113.9" },
    ]);
    expect(await expire()).toMatchObject({ messageAddresses: 0 });
  });

  test("keeps subscribers and those who are coming back, and deletes whoever left three years ago or never confirmed for a year", async () => {
    const { db } = database;
    const longAgo = "2019-01-01T00:00:00.000Z";
    const dates = {
      reader: [longAgo, longAgo, null],
      "left-lately": [longAgo, null, "2023-11-21T12:00:00.000Z"],
      "left-long-ago": [longAgo, longAgo, "2023-11-21T11:59:59.000Z"],
      unconfirmed: ["2025-11-21T11:59:59.000Z", null, null],
      "may-confirm": ["2025-11-21T12:00:00.000Z", null, null],
      "comes-back": [longAgo, longAgo, "2023-11-21T11:59:59.000Z", "2026-11-20T12:00:00.000Z"],
      "came-back-once": [longAgo, longAgo, longAgo, "2025-11-21T11:59:59.000Z"],
    } as const;
    for (const [
      email,
      [subscribed_at, confirmed_at, unsubscribed_at, pending_since],
    ] of Object.entries(dates)) {
      const times = { subscribed_at, confirmed_at, unsubscribed_at, pending_since };
      const subscriber = { email, mailbox_key: email, token: email, ...times };
      await db.insertInto("subscribers").values(subscriber).execute();
    }
    expect(await expire()).toMatchObject({ subscribers: 3 });
    const left = await db.selectFrom("subscribers").select("email").orderBy("id").execute();
    expect(left.map(({ email }) => email)).toEqual([
      "reader",
      "left-lately",
      "may-confirm",
      "comes-back",
    ]);
    // A list from before they left brings nobody back who did.
    const listed = ["left-long-ago", "unconfirmed", "new"].map((email) => ({
      email,
      consentText: "Card",
      consentPage: null,
      consentAddress: null,
      subscribedAt: longAgo,
      confirmedAt: longAgo,
      unsubscribedAt: null,
    }));
    expect(await importSubscribers(db, listed, { now, newsletterWebhookUrl: null })).toMatchObject({
      added: 2,
      erased: 1,
    });
  });

  test("empties the outbox of what arrived ninety days ago, and keeps what waits or failed as long as its message", async () => {
    const { db } = database;
    const failed_at = "2026-01-02T00:00:00.000Z";
    const jobs = {
      arrived: { delivered_at: "2026-08-23T11:59:59.000Z" },
      "arrived-lately": { delivered_at: "2026-08-23T12:00:00.000Z" },
      waits: {},
      failed: { failed_at },
      "failed-two-years-ago": { failed_at, created_at: "2024-11-21T11:59:59.000Z" },
      "old-sign-up": { kind: "confirmation-email", created_at: "2025-11-21T11:59:59.000Z" },
      "erased-lately": { kind: "newsletter-webhook", erased_at: "2026-10-22T12:00:00.000Z" },
      erased: { kind: "newsletter-webhook", erased_at: "2026-10-22T11:59:59.000Z" },
    };
    const common = { kind: "contact-email", payload: "{}", created_at: failed_at };
    for (const [delivery_id, job] of Object.entries(jobs)) {
      const row = { ...common, delivery_id, next_attempt_at: failed_at, ...job };
      await db.insertInto("outbox").values(row).execute();
    }
    expect(await expire()).toMatchObject({ deliveries: 4 });
    const left = await db.selectFrom("outbox").select("delivery_id").orderBy("id").execute();
    expect(left.map((row) => row.delivery_id)).toEqual([
      "arrived-lately",
      "waits",
      "failed",
      "erased-lately",
    ]);
  });

  test("deletes nothing by a clock that has jumped, until it has run on for a week", async () => {
    const trusted = async (...days: number[]) => {
      const answers: boolean[] = [];
      for (const day of days) {
        const at = new Date(now.getTime() + day * 24 * 60 * 60 * 1000);
        answers.push((await expire(at)) !== null);
      }
      return answers;
    };
    expect(await trusted(0, 0.25, 30)).toEqual([true, true, true]);
    expect(await trusted(400, 400.25, 401, 406.9)).toEqual([false, false, false, false]);
    // Set right again, it is trusted at once.
    expect(await trusted(30.5, 31)).toEqual([true, true]);
    expect(await trusted(100, 105, 107.1, 107.2)).toEqual([false, false, true, true]);
    expect(await trusted(50, 50.25, 57)).toEqual([false, false, true]);
  });

  test("deletes mail files after ninety days, and nothing that the site didn't write", async () => {
    const folder = path.join(data.path, "mail");
    await mkdir(folder, { recursive: true });
    const old = "2026-08-23T11-59-59-999Z-0b0e.eml";
    const kept = ["2026-08-23T12-00-00-000Z-0b0e.eml", "notes-of-2020.eml"];
    for (const name of [old, `.${old}.1f.tmp`, ...kept])
      await writeFile(path.join(folder, name), "");
    expect(await expire()).toMatchObject({ mailFiles: 2 });
    expect((await readdir(folder)).sort()).toEqual(kept);
  });

  test("ends an implied consent when it is over, and mails that person no more", async () => {
    const { db } = database;
    const times = {
      subscribed_at: "2024-11-20T00:00:00.000Z",
      confirmed_at: "2024-11-20T00:00:00.000Z",
    };
    for (const [email, consent_ends_at] of [
      ["over", now.toISOString()],
      ["lasts", "2026-11-21T12:00:00.001Z"],
      ["express", null],
    ] as const)
      await db
        .insertInto("subscribers")
        .values({ email, mailbox_key: email, token: email, ...times, consent_ends_at })
        .execute();
    expect(await expire()).toMatchObject({ consentsEnded: 1 });
    const left = db
      .selectFrom("subscribers")
      .select("email")
      .where("unsubscribed_at", "is not", null);
    expect(await left.execute()).toEqual([{ email: "over" }]);
  });
});
