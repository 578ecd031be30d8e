import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { untilBlocked } from "#tests/until-blocked.ts";
import { sendMessage, signUp } from "#tests/visitors.ts";
import { addressHash } from "./load-subscriber.ts";
import { eraseMailbox, forgetDeletedPages, repeatErasures } from "./privacy.ts";

const newsletterWebhookUrl = "https://hooks.example/own";

async function write(db: Db, email: string) {
  const visit = { clientAddress: "203.0.113.77", newsletterWebhookUrl };
  await sendMessage(db, { firstName: "Perpetua", email }, visit);
  await signUp(db, email, visit);
}

async function everything(db: Db): Promise<string> {
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

describeOnEachDatabase(
  "the lists that an erasure reads",
  (database) => {
    test("keep no sign-up of the mailbox waiting", async () => {
      const email = "pat@example.com";
      const deps = { db: database.db, newsletterWebhookUrl: null, now: new Date() };
      const [locking, visiting] = [await database.connect(), await database.connect()];
      const { erasing } = await locking.db.transaction().execute(async (trx) => {
        await sql`lock table imports in access exclusive mode`.execute(trx);
        const erasing = eraseMailbox(deps, { email });
        await untilBlocked(trx);
        await signUp(visiting.db, email);
        return { erasing };
      });
      expect(await erasing).toMatchObject({ lists: 0 });
    });
  },
  { kinds: ["postgres"] },
);

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
    const later = { email: "pat@example.com", message: "Later" };
    await sendMessage(db, later, { at: new Date("2999-01-01") });
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
});
