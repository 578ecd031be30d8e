import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { preparedBodyKey } from "#issue-body/rules-version.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { newDeliveryId } from "#mail/outbox/enqueue.ts";
import { keepWordings, wordingHash } from "#newsletter/consent-ledger.ts";
import { savePreparedIssue } from "#newsletter/save-prepared-issue.ts";
import { indexedAfterwards } from "./indexed-afterwards.ts";
import { insertRows } from "./insert-rows.ts";
import { sampleBody, sampleTitle } from "./sample-issue.ts";

/** How much is added. */
export type Growth = {
  issues?: number;
  readers?: number;
  messages?: number;
  /** Length of an issue's body. */
  issueBytes?: number;
  /** Whether what pages show of the issues is stored too, as of an archive that has grown over years. */
  prepared?: boolean;
  /** Readers and messages came evenly over so many days up to now. */
  overDays?: number;
};

const dayMs = 24 * 60 * 60 * 1000;
const tokenBytes = 32;
/** What was sent is kept in the outbox for this long. */
const deliveriesKeptMs = 90 * dayMs;
/** Issues come weekly, or oftener where they would go back further than this. */
const archiveMaxMs = 20 * 365 * dayMs;

/** On PostgreSQL, from so many on it takes less time to make the indexes afterwards. */
const manyRows = 100_000;

/** Fills a database of its own, made and migrated where it isn't there yet: a SQLite file, or a PostgreSQL. */
export async function seedDatabase(settings: DatabaseSettings, growth: Growth): Promise<void> {
  const open = await openDatabase(settings);
  try {
    await migrateToLatest(open);
    if (open.kind === "sqlite") {
      await hurry(open);
      await seed(open, growth);
      return;
    }
    const { readers = 0, messages = 0 } = growth;
    if (readers + messages < manyRows) await seed(open, growth);
    else await indexedAfterwards(open, (db) => seed({ db }, growth));
    // As the server's own upkeep has done by the time that it has grown so far.
    await open.withoutTimeouts((db) => sql`vacuum analyze`.execute(db));
  } finally {
    await open.close();
  }
}

// A crash would lose the seeds alone; the large cache holds the index of tokens, which are in no order.
async function hurry({ db }: Pick<OpenDatabase, "db">): Promise<void> {
  await sql`pragma synchronous = off`.execute(db);
  await sql`pragma cache_size = -400000`.execute(db);
}

/** Adds to what is there, through the real tables, as years of visitors would have. */
export async function seed(open: Pick<OpenDatabase, "db">, growth: Growth): Promise<void> {
  const { issues = 0, readers = 0, messages = 0, issueBytes = 20_000, overDays = 365 } = growth;
  const now = Date.now();
  await seedIssues(open, { issues, issueBytes, now });
  if (growth.prepared) await prepareAll(open);
  const arrival = (index: number, count: number) =>
    new Date(now - ((count - index) / count) * overDays * dayMs);
  // Side by side: PostgreSQL writes each over a connection of its own while the rows of the other are made.
  await Promise.all([
    seedReaders(open, readers, (index) => arrival(index, readers), now),
    seedMessages(open, messages, (index) => arrival(index, messages), now),
  ]);
}

async function seedIssues(
  { db }: Pick<OpenDatabase, "db">,
  { issues, issueBytes, now }: { issues: number; issueBytes: number; now: number },
): Promise<void> {
  const apartMs = Math.min(7 * dayMs, archiveMaxMs / issues);
  const before = await highestId({ db }, "final_newsletters");
  // A few at a time: a statement of five thousand bodies would be 100 MB of text.
  const atOnce = 100;
  for (let start = 0; start < issues; start += atOnce) {
    await insertRows(db, "final_newsletters", Math.min(atOnce, issues - start), (offset) => {
      const index = start + offset;
      const publishedAt = new Date(now - (issues - index) * apartMs);
      return {
        title: sampleTitle(before + index),
        content_markdown: sampleBody(before + index, issueBytes),
        publish_date: publishedAt.toISOString().slice(0, 10),
      };
    });
  }
}

async function prepareAll({ db }: Pick<OpenDatabase, "db">): Promise<void> {
  const issues = db.selectFrom("final_newsletters").select(["id", "title", "content_markdown"]);
  const atOnce = 100;
  for (let above = 0; ; ) {
    const rows = await issues.where("id", ">", above).orderBy("id").limit(atOnce).execute();
    const last = rows.at(-1);
    if (!last) return;
    above = last.id;
    await db.transaction().execute(async (trx) => {
      for (const issue of rows) {
        const body = prepareIssueBody(issue.content_markdown);
        await savePreparedIssue(trx, issue, preparedBodyKey(issue.content_markdown), body);
      }
    });
  }
}

const wording = "Yes, send me The Matrix, a weekly letter. I can leave at any time.";

async function seedReaders(
  { db }: Pick<OpenDatabase, "db">,
  count: number,
  arrival: (index: number) => Date,
  now: number,
): Promise<void> {
  const before = await highestId({ db }, "subscribers");
  await keepWordings(db, [wording]);
  const mails: { deliveryId: string; email: string; token: string; at: string }[] = [];
  const consents: { email: string; at: string; event: string; index: number }[] = [];
  const flush = async () => {
    const waiting = mails.splice(0);
    await insertRows(db, "outbox", waiting.length, (index) => {
      const { deliveryId, email, token, at } = waiting[index] as (typeof waiting)[number];
      return delivered("confirmation-email", deliveryId, { email, token }, at);
    });
    const entries = consents.splice(0);
    await insertRows(db, "consent_events", entries.length, (index) => {
      const { email, at, event, index: reader } = entries[index] as (typeof entries)[number];
      const isSignUp = event === "signed_up" || event === "held";
      return {
        mailbox_key: mailboxKey(email),
        event,
        email,
        wording_hash: isSignUp ? wordingHash(wording) : null,
        page: isSignUp ? "/newsletter" : null,
        network_address: isSignUp ? `203.0.113.${reader % 255}` : null,
        occurred_at: at,
        recorded_at: at,
      };
    });
  };
  const atOnce = 50_000;
  for (let start = 0; start < count; start += atOnce) {
    await insertRows(db, "subscribers", Math.min(atOnce, count - start), (offset) => {
      const index = start + offset;
      const at = arrival(index).toISOString();
      const email = `Reader.${before + index}@mail${index % 97}.example`;
      const token = randomBytes(tokenBytes).toString("base64url");
      const isMailed = now - Date.parse(at) < deliveriesKeptMs && !isHeld(index);
      const deliveryId = isMailed ? newDeliveryId() : null;
      if (deliveryId) mails.push({ deliveryId, email, token, at });
      const isPending = isUnconfirmed(index) || isHeld(index);
      consents.push({ email, at, index, event: isHeld(index) ? "held" : "signed_up" });
      if (!isPending) consents.push({ email, at, index, event: "confirmed" });
      if (hasLeft(index)) consents.push({ email, at, index, event: "left" });
      return {
        email,
        mailbox_key: mailboxKey(email),
        token,
        confirm_token: token,
        subscribed_at: at,
        confirmed_at: isPending ? null : at,
        unsubscribed_at: hasLeft(index) ? at : null,
        pending_email: isPending ? email : null,
        pending_since: isPending ? at : null,
        mail_delivery_id: deliveryId,
        held_at: isHeld(index) ? at : null,
        held_reason: isHeld(index) ? "hidden_field" : null,
      };
    });
    await flush();
  }
}

// Of a hundred readers ten left, ten never confirmed and one is held.
const hasLeft = (index: number) => index % 10 === 9;
const isUnconfirmed = (index: number) => index % 10 === 8;
const isHeld = (index: number) => index % 100 === 50;

async function seedMessages(
  { db }: Pick<OpenDatabase, "db">,
  count: number,
  arrival: (index: number) => Date,
  now: number,
): Promise<void> {
  const before = await highestId({ db }, "contact_messages");
  const words = (index: number) => ({
    first_name: "Dana",
    last_name: `Okafor ${before + index}`,
    email: `Sender.${before + index}@mail${index % 89}.example`,
    company: "Okafor Plumbing",
    phone: "+1 416 555 0142",
    subject: "pricing-information",
    message: `We are ${(index % 20) + 2} people and miss calls on site. What does an audit find? (${index})`,
  });
  await insertRows(db, "contact_messages", count, (index) => {
    const at = arrival(index).toISOString();
    const isSuspect = index % 500 === 250;
    return {
      ...words(index),
      mailbox_key: mailboxKey(words(index).email),
      submission_key: null,
      sender_address: now - Date.parse(at) < deliveriesKeptMs ? `198.51.100.${index % 255}` : null,
      received_at: at,
      held_at: isSuspect ? at : null,
      held_reason: isSuspect ? "hidden_field" : null,
    };
  });
  await insertRows(db, "outbox", count, (index) => {
    const at = arrival(index).toISOString();
    if (now - Date.parse(at) >= deliveriesKeptMs || index % 500 === 250) return null;
    const { first_name, last_name, ...rest } = words(index);
    const names = { firstName: first_name, lastName: last_name, messageId: before + index + 1 };
    return delivered("contact-email", newDeliveryId(), { ...rest, ...names, receivedAt: at }, at);
  });
}

function delivered(
  kind: string,
  deliveryId: string,
  payload: Record<string, unknown> & { email: string },
  at: string,
) {
  return {
    delivery_id: deliveryId,
    kind,
    payload: JSON.stringify(payload),
    mailbox_key: mailboxKey(payload.email),
    attempts: 1,
    created_at: at,
    next_attempt_at: at,
    delivered_at: at,
  };
}

async function highestId(
  { db }: Pick<OpenDatabase, "db">,
  table: "final_newsletters" | "subscribers" | "contact_messages",
): Promise<number> {
  const { id } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.max<number | null>("id").as("id"))
    .executeTakeFirstOrThrow();
  return id ?? 0;
}
