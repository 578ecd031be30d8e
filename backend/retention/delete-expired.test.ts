import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#backend/database/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { deleteExpired } from "./delete-expired.ts";

const now = new Date("2026-11-21T12:00:00.000Z");

async function addMessage(db: Kysely<Database>, email: string, receivedAt: string) {
  await db
    .insertInto("contact_messages")
    .values({
      first_name: "Ana",
      last_name: "Souza",
      email,
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
      email_key: email,
      token: `token-of-${email}`,
      consent_text: "as shown",
      consent_page: "/newsletter",
      consent_address: "203.0.113.9",
      subscribed_at: dates.subscribed,
      confirmed_at: dates.confirmed ?? null,
      unsubscribed_at: dates.unsubscribed ?? null,
    })
    .execute();
}

async function addDelivery(
  db: Kysely<Database>,
  id: string,
  ended: Partial<Record<"delivered_at" | "failed_at", string>>,
) {
  const createdAt = "2020-01-01T00:00:00.000Z";
  await db
    .insertInto("outbox")
    .values({
      delivery_id: id,
      kind: "contact-email",
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

  test("empties the outbox of what arrived ninety days ago, never of what waits or failed", async () => {
    const { db } = database;
    await addDelivery(db, "arrived", { delivered_at: "2026-08-23T11:59:59.000Z" });
    await addDelivery(db, "arrived-lately", { delivered_at: "2026-08-23T12:00:00.000Z" });
    await addDelivery(db, "waits", {});
    await addDelivery(db, "failed", { failed_at: "2020-01-02T00:00:00.000Z" });
    expect(await deleteExpired(db, now)).toMatchObject({ deliveries: 1 });
    const left = await db.selectFrom("outbox").select("delivery_id").orderBy("id").execute();
    expect(left.map((row) => row.delivery_id)).toEqual(["arrived-lately", "waits", "failed"]);
  });
});
