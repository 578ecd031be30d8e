import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { mailboxKey } from "../email/mailbox-key.ts";
import { erasedAmong } from "../privacy/erasures.ts";
import { addConsentEntries, type ConsentEntry, keepWordings } from "./consent-ledger.ts";
import { lockMailboxes } from "./load-subscriber.ts";
import { type SubscriberEvent, stateOf, subscriberStates } from "./subscriber-states.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

/** Rows in one transaction, so that visitors' writes come in between: a few milliseconds each. */
const batchSize = 200;

type OnProgress = (done: number) => void;

/** A subscriber from another list; times are ISO 8601 in UTC with milliseconds. */
export type ImportedSubscriber = {
  email: string;
  consentText: string;
  consentPage: string | null;
  consentAddress: string | null;
  subscribedAt: string;
  confirmedAt: string | null;
  unsubscribedAt: string | null;
};

/**
 * Imports subscribers and answers how many were new. A mailbox that is there already stays as it is: above all, one that
 * has unsubscribed stays so. One whose holder asked to be erased is left out. No mail goes out and no webhook is called.
 * Each batch is a transaction of its own, and an import that was interrupted can be run again. `onProgress` hears how
 * many have been looked at after each batch.
 */
export async function importSubscribers(
  db: Kysely<Database>,
  subscribers: readonly ImportedSubscriber[],
  { now = new Date(), onProgress = () => {} }: { now?: Date; onProgress?: OnProgress } = {},
): Promise<{ added: number; erased: number }> {
  let added = 0;
  let erased = 0;
  for (let start = 0; start < subscribers.length; start += batchSize) {
    const batch = subscribers.slice(start, start + batchSize);
    await keepWordings(
      db,
      batch.map(({ consentText }) => consentText),
    );
    const result = await db.transaction().execute((trx) => importBatch(trx, batch, now));
    added += result.added;
    erased += result.erased;
    onProgress(start + batch.length);
  }
  return { added, erased };
}

/** What an import would do, without doing it. */
export async function previewImport(
  db: Kysely<Database>,
  subscribers: readonly ImportedSubscriber[],
  onProgress: OnProgress = () => {},
): Promise<{ added: number; erased: number }> {
  let added = 0;
  let erased = 0;
  for (let start = 0; start < subscribers.length; start += batchSize) {
    const batch = subscribers.slice(start, start + batchSize);
    const emails = batch.map(({ email }) => email);
    const gone = await erasedAmong(db, emails);
    const mailboxes = emails.filter((email) => !gone.has(email)).map(mailboxKey);
    const present = await db
      .selectFrom("subscribers")
      .select("mailbox_key")
      .where("mailbox_key", "in", mailboxes)
      .execute();
    added += new Set(mailboxes).size - present.length;
    erased += gone.size;
    onProgress(start + batch.length);
  }
  return { added, erased };
}

async function importBatch(
  trx: Kysely<Database>,
  batch: readonly ImportedSubscriber[],
  now: Date,
): Promise<{ added: number; erased: number }> {
  await lockMailboxes(
    trx,
    batch.map(({ email }) => mailboxKey(email)),
  );
  const gone = await erasedAmong(
    trx,
    batch.map(({ email }) => email),
  );
  const allowed = new Map<string, ImportedSubscriber>();
  let erased = 0;
  for (const subscriber of batch) {
    // Whether there is a row already, the insert finds out for all of them at once.
    const state = stateOf(null, gone.has(subscriber.email));
    const { answer } = subscriberStates[state][eventOf(subscriber)];
    const mailbox = mailboxKey(subscriber.email);
    if (answer === "erased") erased += 1;
    else if (!allowed.has(mailbox)) allowed.set(mailbox, subscriber);
  }
  if (allowed.size === 0) return { added: 0, erased };
  const inserted = await trx
    .insertInto("subscribers")
    .values([...allowed].map(subscriberRow))
    .onConflict((conflict) => conflict.column("mailbox_key").doNothing())
    .returning("mailbox_key")
    .execute();
  const entries = inserted.flatMap(({ mailbox_key }) => {
    const subscriber = allowed.get(mailbox_key);
    return subscriber ? [importEntry(mailbox_key, subscriber, now)] : [];
  });
  if (entries.length > 0) await addConsentEntries(trx, entries);
  return { added: inserted.length, erased };
}

function eventOf({ confirmedAt, unsubscribedAt }: ImportedSubscriber): SubscriberEvent {
  if (unsubscribedAt) return "import as left";
  return confirmedAt ? "import as confirmed" : "import as waiting";
}

function subscriberRow([mailbox, subscriber]: [string, ImportedSubscriber]) {
  const waits = eventOf(subscriber) === "import as waiting";
  return {
    email: subscriber.email,
    mailbox_key: mailbox,
    token: newSubscriberToken(),
    subscribed_at: subscriber.subscribedAt,
    confirmed_at: subscriber.confirmedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
    pending_email: waits ? subscriber.email : null,
    pending_since: waits ? subscriber.subscribedAt : null,
  };
}

function importEntry(mailbox: string, subscriber: ImportedSubscriber, now: Date): ConsentEntry {
  return {
    mailbox,
    event: "imported",
    email: subscriber.email,
    wording: subscriber.consentText,
    page: subscriber.consentPage,
    networkAddress: subscriber.consentAddress,
    occurredAt: subscriber.subscribedAt,
    recordedAt: now.toISOString(),
  };
}
