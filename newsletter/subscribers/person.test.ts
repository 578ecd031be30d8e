import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { sendMessage, signUp } from "#tests/visitors.ts";
import { recordBounce } from "../bounces/record-bounce.ts";
import { handOver, settleRow } from "../sends/recipients.ts";
import { addressHash } from "./apply-event.ts";
import { eraseMailbox, forgetDeletedPages, repeatErasures } from "./person.ts";

const newsletterWebhookUrl = "https://hooks.example/own";

async function write(db: Kysely<Database>, email: string) {
  const visit = { clientAddress: "203.0.113.77", newsletterWebhookUrl };
  await sendMessage(db, { firstName: "Perpetua", email }, visit);
  await signUp(db, email, visit);
}

/** Every row of every table that the database has, as text. */
async function everyTable(db: Kysely<Database>): Promise<Map<string, string>> {
  const tables = await db.introspection.getTables();
  const read = async ({ name }: { name: string }) => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    return [name, JSON.stringify(rows)] as const;
  };
  return new Map(await Promise.all(tables.map(read)));
}

async function tablesThatName(db: Kysely<Database>, person: RegExp): Promise<string[]> {
  return [...(await everyTable(db))].flatMap(([name, text]) => (person.test(text) ? name : []));
}

describeOnEachDatabase("a request to be erased", (database) => {
  const erase = (email: string) =>
    eraseMailbox({ db: database.db, newsletterWebhookUrl, now: new Date() }, { email });

  test("takes everything about the mailbox, in every spelling, and leaves others alone", async () => {
    const { db } = database;
    await write(db, "Perpetua.Quill@Example.com");
    await write(db, "perpetua.quill+news@example.com");
    await write(db, "quill@example.com");
    // Two contact mails, and what the first sign-up brought; the second is of the same mailbox. The webhook, whose call
    // still waits, hears of nothing.
    expect(await erase("perpetua.quill@example.com")).toMatchObject({
      subscriptions: 1,
      messages: 2,
      deliveries: 4,
      webhookTold: false,
    });
    expect(await tablesThatName(db, /perpetua\.quill/i)).toEqual([]);
    expect(await db.selectFrom("outbox").selectAll().execute()).toHaveLength(3);
    const left = await db.selectFrom("subscribers").select("email").execute();
    expect(left).toEqual([{ email: "quill@example.com" }]);
  });

  test("leaves the person in no table, whatever was stored about them, and by whatever is under way", async () => {
    const { db, open } = database;
    const email = "perpetua.quill@example.com";
    const at = new Date().toISOString();
    const now = new Date();
    const person = /perpetua|quill|203\.0\.113\.77|nib/i;
    await write(db, email);
    await write(db, "Perpetua.Quill+nib@example.com");
    const confirmed = { confirmed_at: at };
    await db.updateTable("subscribers").set(confirmed).execute();
    const { token } = await db.selectFrom("subscribers").select("token").executeTakeFirstOrThrow();
    const hashes = { address_hash: "h", wording_hash: "h" };
    const listed = { email, mailbox_key: email, token: "t", subscribed_at: at, search_text: email };
    await db
      .insertInto("staged_subscribers")
      .values({ list: "broken off", ...hashes, ...listed })
      .execute();
    const refused = "550 5.1.1 perpetua.quill is unknown here";
    const sendId = await queueTestSend(db);
    await beginTestSends(open);
    const claim = { sendId, claimant: "worker", now: new Date(), leaseMs: 60_000 };
    const mail = await handOver(db, claim);
    const failed = { attempts: 5, failed_at: at, last_error: refused };
    await db.updateTable("outbox").set(failed).execute();
    await db.transaction().execute(async (trx) => {
      const refusal = { kind: "soft", answer: refused } as const;
      await recordBounce(trx, { mailbox: email, refusal, now });
    });
    // The person is in each table that has a column for mailboxes.
    const withMailbox = (await db.introspection.getTables()).filter(({ columns }) =>
      columns.some(({ name }) => name === "mailbox_key"),
    );
    expect(await tablesThatName(db, person)).toEqual(
      expect.arrayContaining(withMailbox.map(({ name }) => name)),
    );

    await erase(email);
    if (!mail) throw new Error("No mail was handed over.");
    const row = { state: "refused", answer: refused, settled_at: at } as const;
    await settleRow(db, mail, { row, refusal: { kind: "hard", answer: refused } }, now);
    await db.deleteFrom("outbox").where("erased_at", "is not", null).execute();
    expect(await tablesThatName(db, person)).toEqual([]);
    expect(await tablesThatName(db, new RegExp(token))).toEqual([]);
  });

  test("tells a webhook that has heard of the person, by a call that goes once it is delivered", async () => {
    const { db } = database;
    await write(db, "pat@example.com");
    await db.updateTable("outbox").set({ attempts: 1 }).execute();
    expect(await erase("PAT+x@example.com")).toMatchObject({ webhookTold: true });
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
    await repeatErasures(db, erasures, new Date());
    expect(await db.selectFrom("subscribers").selectAll().execute()).toEqual([]);
    const messages = await db.selectFrom("contact_messages").select("message").execute();
    expect(messages).toEqual([{ message: "Later" }]);
    expect(await db.selectFrom("erasures").selectAll().execute()).toHaveLength(2);
  });

  test("leaves no bytes of the person in SQLite's files", async () => {
    const { db, kind, open } = database;
    await write(db, "perpetua.quill@example.com");
    await erase("perpetua.quill@example.com");
    await forgetDeletedPages(db);
    if (kind === "postgres") return;
    for (const file of [open.location, `${open.location}-wal`]) {
      expect(await readFile(file, "latin1")).not.toMatch(/perpetua|quill|203\.0\.113\.77/i);
    }
  });
});
