import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Kysely } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { countHeld } from "#contact/quarantine.ts";
import type { Database } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { deleteExpired, deleteExpiredMailFiles, isClockTrusted } from "./retention.ts";

const now = new Date("2026-11-21T12:00:00.000Z");

async function addMessage(db: Kysely<Database>, email: string, receivedAt: string) {
  await db
    .insertInto("contact_messages")
    .values({
      first_name: "Ana",
      last_name: "Souza",
      email,
      mailbox_key: email.toLowerCase(),
      company: "",
      phone: "",
      subject: "",
      message: receivedAt,
      submission_key: null,
      sender_address: "203.0.113.9",
      received_at: receivedAt,
    })
    .execute();
}

type Dates = { subscribed: string; confirmed?: string; unsubscribed?: string };

async function addSubscriber(db: Kysely<Database>, email: string, dates: Dates) {
  await db
    .insertInto("subscribers")
    .values({
      email,
      mailbox_key: email,
      token: `token-of-${email}`,
      subscribed_at: dates.subscribed,
      confirmed_at: dates.confirmed ?? null,
      unsubscribed_at: dates.unsubscribed ?? null,
    })
    .execute();
}

async function addDelivery(
  db: Kysely<Database>,
  id: string,
  {
    kind = "contact-email",
    createdAt = "2026-01-01T00:00:00.000Z",
    ...ended
  }: Partial<Record<"delivered_at" | "failed_at" | "erased_at" | "kind" | "createdAt", string>>,
) {
  await db
    .insertInto("outbox")
    .values({
      delivery_id: id,
      kind,
      payload: "{}",
      created_at: createdAt,
      next_attempt_at: createdAt,
      ...ended,
    })
    .execute();
}

describeOnEachDatabase("deleteExpired", (database) => {
  test("deletes messages two years after the address's last one, and keeps a conversation whole", async () => {
    const { db } = database;
    await addMessage(db, "gone@one.example", "2024-11-21T11:59:59.000Z");
    await addMessage(db, "kept@two.example", "2024-11-21T12:00:00.000Z");
    await addMessage(db, "Still@Writing.example", "2021-03-01T00:00:00.000Z");
    await addMessage(db, "still@writing.example", "2026-01-01T00:00:00.000Z");
    expect(await deleteExpired(db, now)).toMatchObject({ messages: 1 });
    const left = await db.selectFrom("contact_messages").select("email").orderBy("id").execute();
    expect(left.map(({ email }) => email)).toEqual([
      "kept@two.example",
      "Still@Writing.example",
      "still@writing.example",
    ]);
  });

  test("forgets a message's network address after ninety days, and nothing else of it", async () => {
    const { db } = database;
    await addMessage(db, "old@one.example", "2026-08-23T11:59:59.000Z");
    await addMessage(db, "new@two.example", "2026-08-23T12:00:00.000Z");
    expect(await deleteExpired(db, now)).toMatchObject({ messages: 0, messageAddresses: 1 });
    const rows = await db
      .selectFrom("contact_messages")
      .select(["email", "sender_address"])
      .orderBy("id")
      .execute();
    expect(rows).toEqual([
      { email: "old@one.example", sender_address: null },
      { email: "new@two.example", sender_address: "203.0.113.9" },
    ]);
    expect(await deleteExpired(db, now)).toMatchObject({ messageAddresses: 0 });
  });

  test("keeps readers, and deletes whoever left three years ago or never confirmed for a year", async () => {
    const { db } = database;
    const longAgo = "2019-01-01T00:00:00.000Z";
    await addSubscriber(db, "reader", { subscribed: longAgo, confirmed: longAgo });
    await addSubscriber(db, "left-lately", {
      subscribed: longAgo,
      unsubscribed: "2023-11-21T12:00:00.000Z",
    });
    await addSubscriber(db, "left-long-ago", {
      subscribed: longAgo,
      confirmed: longAgo,
      unsubscribed: "2023-11-21T11:59:59.000Z",
    });
    await addSubscriber(db, "unconfirmed", { subscribed: "2025-11-21T11:59:59.000Z" });
    await addSubscriber(db, "may-confirm", { subscribed: "2025-11-21T12:00:00.000Z" });
    expect(await deleteExpired(db, now)).toMatchObject({ subscribers: 2 });
    const left = await db.selectFrom("subscribers").select("email").orderBy("id").execute();
    expect(left.map(({ email }) => email)).toEqual(["reader", "left-lately", "may-confirm"]);
  });

  test("deletes what is held as suspected spam after the same time as the rest", async () => {
    const { db } = database;
    const [old, late] = ["2024-01-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"];
    for (const at of [old, late]) {
      await addMessage(db, `${at}@one.example`, at);
      await addSubscriber(db, `${at}@two.example`, { subscribed: at });
    }
    for (const table of ["contact_messages", "subscribers"] as const) {
      await db.updateTable(table).set({ held_at: old, held_reason: "hidden_field" }).execute();
    }
    expect(await deleteExpired(db, now)).toMatchObject({ messages: 1, subscribers: 1 });
    expect(await countHeld(db)).toEqual({ messages: 1, signUps: 1 });
  });

  test("empties the outbox of what arrived ninety days ago, and keeps what waits or failed as long as its message", async () => {
    const { db } = database;
    await addDelivery(db, "arrived", { delivered_at: "2026-08-23T11:59:59.000Z" });
    await addDelivery(db, "arrived-lately", { delivered_at: "2026-08-23T12:00:00.000Z" });
    await addDelivery(db, "waits", {});
    const failed = { failed_at: "2026-01-02T00:00:00.000Z" };
    await addDelivery(db, "failed", failed);
    await addDelivery(db, "failed-two-years-ago", {
      ...failed,
      createdAt: "2024-11-21T11:59:59.000Z",
    });
    const confirmation = { kind: "confirmation-email", ...failed };
    await addDelivery(db, "sign-up-of-long-ago", {
      ...confirmation,
      createdAt: "2025-11-21T11:59:59.000Z",
    });
    const webhook = { kind: "newsletter-webhook" };
    await addDelivery(db, "erased-lately", { ...webhook, erased_at: "2026-10-22T12:00:00.000Z" });
    await addDelivery(db, "erased", { ...webhook, erased_at: "2026-10-22T11:59:59.000Z" });
    expect(await deleteExpired(db, now)).toMatchObject({ deliveries: 4 });
    const left = await db.selectFrom("outbox").select("delivery_id").orderBy("id").execute();
    expect(left.map((row) => row.delivery_id)).toEqual([
      "arrived-lately",
      "waits",
      "failed",
      "erased-lately",
    ]);
  });

  test("deletes nothing by a clock that has jumped, until the next look", async () => {
    const hours = (count: number) => new Date(now.getTime() + count * 60 * 60 * 1000);
    const trusted: boolean[] = [];
    for (const at of [0, 6, 24 * 400, 24 * 400 + 6, 0, 6]) {
      trusted.push(await isClockTrusted(database.db, hours(at)));
    }
    expect(trusted).toEqual([true, true, false, true, false, true]);
  });
});

test("deletes mail files after ninety days, and nothing that the site didn't write", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "chalkline-mail-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  expect(await deleteExpiredMailFiles(dataDir, now)).toBe(0);
  const folder = path.join(dataDir, "mail");
  await mkdir(folder);
  const old = "2026-08-23T11-59-59-999Z-0b0e.eml";
  const kept = ["2026-08-23T12-00-00-000Z-0b0e.eml", "notes-of-2020.eml"];
  for (const name of [old, `.${old}.1f.tmp`, ...kept]) await writeFile(path.join(folder, name), "");
  expect(await deleteExpiredMailFiles(dataDir, now)).toBe(2);
  expect((await readdir(folder)).sort()).toEqual(kept);
});
