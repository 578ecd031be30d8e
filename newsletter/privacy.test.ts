import { readFile } from "node:fs/promises";
import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import { submitMessage } from "#contact/messages.ts";
import type { Database } from "#db/tables.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { addressHash } from "./erasures.ts";
import { eraseMailbox, exportMailbox, forgetDeletedPages, repeatErasures } from "./privacy.ts";
import { subscribe } from "./subscribe.ts";

const newsletterWebhookUrl = "https://hooks.example/own";

async function write(db: Kysely<Database>, email: string) {
  const deps = { db, site: testSite, newsletterWebhookUrl, wakeOutbox() {} };
  const clientAddress = "203.0.113.77";
  const message = { ...contactMessage, firstName: "Perpetua", email };
  await submitMessage(deps, message, { idempotencyKey: null, clientAddress });
  await subscribe(deps, { email, referrer: null, requestUrl: testSite.url, clientAddress });
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
    const deps = { db, newsletterWebhookUrl, now: new Date() };
    // Two contact mails, and what the first sign-up brought; the second is of the same mailbox. The webhook, whose call
    // still waits, hears of nothing.
    expect(await eraseMailbox(deps, { email: "perpetua.quill@example.com" })).toMatchObject({
      subscriptions: 1,
      messages: 2,
      deliveries: 4,
      webhookTold: false,
    });
    expect(await everything(db)).not.toMatch(/perpetua\.quill/i);
    expect(await db.selectFrom("outbox").selectAll().execute()).toHaveLength(3);
    const left = await db.selectFrom("subscribers").select("email").execute();
    expect(left).toEqual([{ email: "quill@example.com" }]);
  });

  test("tells a webhook that has heard of the person, by a call that goes once it is delivered", async () => {
    const { db } = database;
    await write(db, "pat@example.com");
    await db.updateTable("outbox").set({ attempts: 1 }).execute();
    const deps = { db, newsletterWebhookUrl, now: new Date() };
    expect(await eraseMailbox(deps, { email: "PAT+x@example.com" })).toMatchObject({
      webhookTold: true,
    });
    const [call, ...others] = await db.selectFrom("outbox").selectAll().execute();
    expect(others).toEqual([]);
    expect(JSON.parse(call?.payload ?? "").type).toBe("newsletter.unsubscribed");
    expect(call).toMatchObject({ mailbox_key: null, erased_at: expect.any(String) });
  });

  test("is carried out again on a restored database, without what the person sent later", async () => {
    const { db } = database;
    await write(db, "pat@example.com");
    const erased_at = new Date().toISOString();
    const later = { ...contactMessage, email: "pat@example.com", message: "Later" };
    const clock = () => new Date("2999-01-01");
    const origin = { idempotencyKey: null, clientAddress: null };
    await submitMessage({ db, wakeOutbox() {}, clock }, later, origin);
    const erasures = [
      { address_hash: "0".repeat(64), erased_at },
      { address_hash: addressHash("pat@example.com"), erased_at },
    ];
    expect(await repeatErasures(db, erasures, new Date())).toBe(1);
    expect(await db.selectFrom("subscribers").selectAll().execute()).toEqual([]);
    const messages = await db.selectFrom("contact_messages").select("message").execute();
    expect(messages).toEqual([{ message: "Later" }]);
    expect(await db.selectFrom("erasures").selectAll().execute()).toHaveLength(2);
  });

  test("leaves no bytes of the person in SQLite's files", async () => {
    const { db, kind, open } = database;
    await write(db, "perpetua.quill@example.com");
    const deps = { db, newsletterWebhookUrl: null, now: new Date() };
    await eraseMailbox(deps, { email: "perpetua.quill@example.com" });
    await forgetDeletedPages(db);
    if (kind === "postgres") return;
    for (const file of [open.location, `${open.location}-wal`]) {
      expect(await readFile(file, "latin1")).not.toMatch(/perpetua|quill|203\.0\.113\.77/i);
    }
  });

  test("is preceded by an export of all that is held, without the secrets of the links", async () => {
    const { db } = database;
    await write(db, "Pat@example.com");
    const held = await exportMailbox(db, { email: "pat@example.com", now: new Date() });
    expect(held).toMatchObject({
      address: "pat@example.com",
      subscriptions: [{ email: "Pat@example.com", consent_address: "203.0.113.77" }],
      messages: [{ first_name: "Perpetua", sender_address: "203.0.113.77" }],
      consent_events: [
        { event: "signed_up", email: "Pat@example.com", wording: expect.stringContaining("agree") },
      ],
    });
    expect(held.deliveries.map(({ kind }) => kind).sort()).toEqual([
      "confirmation-email",
      "contact-email",
      "newsletter-webhook",
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
