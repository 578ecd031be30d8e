import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, test } from "vitest";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { loadMigrations, migrateToLatest } from "./migrate.ts";
import type { Database } from "./tables.ts";

const lastBefore = "2026-11-21T08-00-00-outbox-by-kind";
const [first, second, third] = ["2026-01-01", "2026-02-01", "2026-03-01"].map(
  (day) => `${day}T00:00:00.000Z`,
) as [string, string, string];

type Former = {
  confirmed?: string;
  left?: string;
  held?: string;
  at?: string;
  wording?: string;
};

describeOnEachDatabase(
  "an older database",
  (database) => {
    async function addFormer(db: Kysely<Database>, email: string, row: Former = {}) {
      await sql`insert into subscribers (email, email_key, token, consent_text, consent_page,
          consent_address, subscribed_at, confirmed_at, unsubscribed_at, held_at, held_reason)
        values (${email}, ${email.toLowerCase()}, ${`token of ${email}`}, ${row.wording ?? "As shown"},
          '/newsletter', '203.0.113.9', ${row.at ?? first}, ${row.confirmed ?? null},
          ${row.left ?? null}, ${row.held ?? null}, ${row.held ? "same_mailbox" : null})`.execute(
        db,
      );
    }

    async function toBefore() {
      const provider = { getMigrations: loadMigrations };
      const { error } = await new Migrator({ db: database.db, provider }).migrateTo(lastBefore);
      if (error) throw error;
    }

    test("keeps one subscriber a mailbox, every consent and every link", async () => {
      const { db } = database;
      await toBefore();
      await addFormer(db, "Ana@example.com", { confirmed: second });
      await addFormer(db, "pat@gmail.com", { confirmed: first, wording: "Older words" });
      await addFormer(db, "p.at+x@googlemail.com", { at: second, left: third });
      await addFormer(db, "pat+y@gmail.com", { at: third, held: third });
      await addFormer(db, "bo@example.com");
      await addFormer(db, "bo+news@example.com", { at: second, held: second });
      // More than a batch, so that a mailbox's spellings stand on both sides of its end.
      for (let n = 0; n < 600; n += 1)
        await addFormer(db, `reader+${n % 2}x${n}@mail${n >> 1}.example`);
      await migrateToLatest(database.open);

      const [ana, pat, bo, ...readers] = await listSubscribers(db, { limit: 1_000 });
      expect(ana).toMatchObject({ email: "Ana@example.com", state: "confirmed" });
      // The latest of what happened to the mailbox: it left.
      expect(pat).toMatchObject({
        email: "p.at+x@googlemail.com",
        state: "unsubscribed",
        unsubscribedAt: third,
        heldAt: third,
        consentText: "As shown",
        token: "token of p.at+x@googlemail.com",
      });
      expect(bo).toMatchObject({ email: "bo@example.com", state: "unconfirmed", heldAt: null });
      expect(readers).toHaveLength(300);

      const entries = await db.selectFrom("consent_events").selectAll().orderBy("id").execute();
      const ofPat = entries.filter(({ mailbox_key }) => mailbox_key === "pat@gmail.com");
      expect(ofPat.map(({ email, event, occurred_at }) => [email, event, occurred_at])).toEqual([
        ["pat@gmail.com", "signed_up", first],
        ["pat@gmail.com", "confirmed", first],
        ["p.at+x@googlemail.com", "signed_up", second],
        ["p.at+x@googlemail.com", "left", third],
        ["pat+y@gmail.com", "held", third],
      ]);
      expect(new Set(entries.map(({ email }) => email)).size).toBe(606);
      const wordings = await db.selectFrom("consent_wordings").select("wording").execute();
      expect(wordings.map(({ wording }) => wording).sort()).toEqual(["As shown", "Older words"]);
      const former = await db.selectFrom("former_tokens").selectAll().execute();
      expect(former).toHaveLength(303);
      expect(former).toContainEqual({
        token: "token of pat@gmail.com",
        mailbox_key: "pat@gmail.com",
      });
    });

    test("gives everything about a person the mailbox's key of today", async () => {
      const { db } = database;
      await toBefore();
      const spellings = [
        "Pat@Example.com",
        "pat+x@BÜCHER.example",
        "p.a.t@GoogleMail.com",
        "ｐａｔ@exa\u00admple.com",
        "no domain@at all",
      ];
      for (const email of spellings) {
        await sql`insert into contact_messages (first_name, last_name, email, company, phone,
            subject, message, received_at)
          values ('', '', ${email}, '', '', '', '', ${first})`.execute(db);
        await sql`insert into outbox (delivery_id, kind, payload, created_at, next_attempt_at)
          values (${email}, 'contact-email', ${JSON.stringify({ email })}, ${first}, ${first}),
            (${`${email} told`}, 'newsletter-webhook', ${JSON.stringify({ data: { email } })},
              ${first}, ${first})`.execute(db);
      }
      await sql`insert into outbox (delivery_id, kind, payload, created_at, next_attempt_at)
        values ('note', 'held-email', '{}', ${first}, ${first})`.execute(db);
      await migrateToLatest(database.open);

      const keys = spellings.map(mailboxKey);
      const messages = await db
        .selectFrom("contact_messages")
        .select("mailbox_key")
        .orderBy("id")
        .execute();
      expect(messages.map(({ mailbox_key }) => mailbox_key)).toEqual(keys);
      const deliveries = await db
        .selectFrom("outbox")
        .select("mailbox_key")
        .orderBy("id")
        .execute();
      expect(deliveries.map(({ mailbox_key }) => mailbox_key)).toEqual([
        ...keys.flatMap((key) => [key, key]),
        null,
      ]);
    });
  },
  { migrated: false },
);
