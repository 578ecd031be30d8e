import { readFile } from "node:fs/promises";
import type { Kysely } from "kysely";
import pino from "pino";
import { expect, test } from "vitest";
import { submitMessage } from "#contact/messages.ts";
import type { Database } from "#db/tables.ts";
import { createOutboxWorker } from "#mail/outbox.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import { addressHash } from "./erasures.ts";
import { importSubscribers } from "./import-subscribers.ts";
import { eraseMailbox, exportMailbox, forgetDeletedPages, repeatErasures } from "./privacy.ts";
import { confirmSubscription, subscribe } from "./subscribe.ts";

const newsletterWebhookUrl = "https://hooks.example/own";
const message = {
  firstName: "Perpetua",
  lastName: "Quill",
  company: "",
  phone: "",
  subject: "general-inquiry",
  message: "The words of Perpetua.",
};

async function write(db: Kysely<Database>, email: string) {
  const deps = { db, site: testSite, newsletterWebhookUrl, wakeOutbox() {} };
  const origin = { idempotencyKey: null, clientAddress: "203.0.113.77" };
  await submitMessage(deps, { ...message, email }, origin);
  const asked = { referrer: null, requestUrl: testSite.url, clientAddress: "203.0.113.77" };
  await subscribe(deps, { email, ...asked });
  return deps;
}

async function everything(db: Kysely<Database>): Promise<string> {
  const tables = [
    "subscribers",
    "contact_messages",
    "outbox",
    "erasures",
    "consent_events",
    "former_tokens",
    "mail_pauses",
  ] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows);
}

describeOnEachDatabase("a request to be erased", (database) => {
  test("takes everything about the mailbox, in every spelling, and leaves others alone", async () => {
    const { db } = database;
    await write(db, "Perpetua.Quill@Example.com");
    await write(db, "perpetua.quill+news@example.com");
    await write(db, "quill@example.com");
    await deliverWebhooks(db);
    const now = new Date();
    const erased = await eraseMailbox(
      { db, newsletterWebhookUrl, now },
      { email: "perpetua.quill@example.com" },
    );
    expect(erased).toMatchObject({
      subscriptions: 1,
      messages: 2,
      // Two contact mails, and what the first sign-up brought; the second is of the same mailbox.
      deliveries: 4,
      webhookTold: true,
    });
    const left = await db.selectFrom("outbox").select(["kind", "payload", "erased_at"]).execute();
    const told = left.filter((row) => row.erased_at !== null);
    expect(told.map((row) => JSON.parse(row.payload).type)).toEqual(["newsletter.unsubscribed"]);
    const others = left.filter((row) => row.payload.includes('"quill@example.com"'));
    expect(others).toHaveLength(3);
    expect(await db.selectFrom("subscribers").select("email").execute()).toEqual([
      { email: "quill@example.com" },
    ]);

    await deliverWebhooks(db);
    expect(await everything(db)).not.toMatch(/perpetua\.quill/i);
    expect(await everything(db)).toContain("quill@example.com");
  });

  test("tells nobody who has not heard of the person: the call that waited goes too", async () => {
    const { db } = database;
    await write(db, "pat@example.com");
    const deps = { db, newsletterWebhookUrl, now: new Date() };
    expect(await eraseMailbox(deps, { email: "PAT+x@example.com" })).toMatchObject({
      deliveries: 3,
      webhookTold: false,
    });
    expect(await db.selectFrom("outbox").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("consent_events").selectAll().execute()).toEqual([]);
  });

  test("holds against an import, until the person confirms a new sign-up", async () => {
    const { db } = database;
    const deps = await write(db, "pat@example.com");
    await eraseMailbox({ db, newsletterWebhookUrl, now: new Date() }, { email: "pat@example.com" });
    const imported = {
      email: "Pat+old@example.com",
      consentText: "An old list",
      consentPage: null,
      consentAddress: null,
      subscribedAt: "2020-01-01T00:00:00.000Z",
      confirmedAt: "2020-01-01T00:00:00.000Z",
      unsubscribedAt: null,
    };
    expect(await importSubscribers(db, [imported])).toMatchObject({ added: 0, erased: 1 });

    await write(db, "pat@example.com");
    expect(await importSubscribers(db, [imported])).toMatchObject({ added: 0, erased: 1 });
    const { token } = await db
      .selectFrom("subscribers")
      .select("confirm_token as token")
      .where("email", "=", "pat@example.com")
      .executeTakeFirstOrThrow();
    expect(await confirmSubscription(deps, { token: token ?? "" })).toEqual({ ok: true });
    expect(await importSubscribers(db, [imported])).toMatchObject({ added: 0, erased: 0 });
    expect(await db.selectFrom("erasures").selectAll().execute()).toEqual([]);
  });

  test("is carried out again on a restored database, without what the person sent later", async () => {
    const { db } = database;
    await write(db, "pat@example.com");
    const erasedAt = new Date().toISOString();
    const erasures = [
      { address_hash: "0".repeat(64), erased_at: erasedAt },
      { address_hash: addressHash("pat@example.com"), erased_at: erasedAt },
    ];
    await db
      .insertInto("contact_messages")
      .values({
        first_name: "Pat",
        last_name: "L",
        email: "pat@example.com",
        mailbox_key: "pat@example.com",
        company: "",
        phone: "",
        subject: "",
        message: "Later",
        received_at: "2999-01-01T00:00:00.000Z",
      })
      .execute();
    expect(await repeatErasures(db, erasures, new Date())).toBe(1);
    expect(await db.selectFrom("subscribers").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("contact_messages").select("message").execute()).toEqual([
      { message: "Later" },
    ]);
    expect(await db.selectFrom("erasures").selectAll().execute()).toHaveLength(2);
  });

  test("leaves no bytes of the person in SQLite's files", async () => {
    const { db, kind, open } = database;
    await write(db, "perpetua.quill@example.com");
    await eraseMailbox(
      { db, newsletterWebhookUrl: null, now: new Date() },
      { email: "perpetua.quill@example.com" },
    );
    await forgetDeletedPages(db);
    if (kind === "postgres") return;
    for (const file of [open.location, `${open.location}-wal`]) {
      expect(await readFile(file, "latin1")).not.toMatch(/perpetua|quill|203\.0\.113\.77/i);
    }
  });

  test("is preceded by an export of all that is held, without the secrets of the links", async () => {
    const { db } = database;
    await write(db, "Pat@example.com");
    const now = new Date();
    const held = await exportMailbox(db, { email: "pat@example.com", now });
    expect(held).toMatchObject({
      address: "pat@example.com",
      subscriptions: [{ email: "Pat@example.com", consent_address: "203.0.113.77" }],
      messages: [{ first_name: "Perpetua", sender_address: "203.0.113.77" }],
    });
    expect(held.deliveries.map(({ kind }) => kind).sort()).toEqual([
      "confirmation-email",
      "contact-email",
      "newsletter-webhook",
    ]);
    expect(held.consent_events).toMatchObject([
      { event: "signed_up", email: "Pat@example.com", wording: expect.stringContaining("agree") },
    ]);
    const secrets = await db
      .selectFrom("subscribers")
      .select(["token", "confirm_token"])
      .executeTakeFirstOrThrow();
    for (const secret of Object.values(secrets)) {
      expect(JSON.stringify(held)).not.toContain(secret);
    }
  });
});

/** The outbox worker, with a webhook that accepts everything. */
async function deliverWebhooks(db: Kysely<Database>) {
  const worker = createOutboxWorker({
    db,
    log: pino({ level: "silent" }),
    deliverers: { "newsletter-webhook": async () => undefined } as never,
  });
  worker.start();
  await until(async () => {
    const waiting = await db
      .selectFrom("outbox")
      .select("id")
      .where("kind", "=", "newsletter-webhook")
      .where("delivered_at", "is", null)
      .execute();
    return waiting.length === 0;
  });
  await worker.stop();
}
