import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { addFirstConsentEntries, type ConsentEntry, keepWordings } from "./consent-ledger.ts";
import { countEnded, endHere, findEndedElsewhere } from "./ended-elsewhere.ts";
import type { ImportedSubscriber } from "./imported-subscriber.ts";
import { lockMailboxes } from "./load-subscriber.ts";
import { erasedAmong } from "./privacy/erasures.ts";
import { type SubscriberEvent, stateOf, subscriberStates } from "./subscriber-states.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

/** Rows in one transaction, so that visitors' writes come in between: a few milliseconds each. */
const batchSize = 200;

type OnProgress = (done: number) => void;

/** How many were new, were left out, and had been readers here until the list said otherwise. */
type Imported = { added: number; erased: number; left: number; bounced: number };

/**
 * Imports subscribers. A mailbox that is there already stays as it is, but for a reader who has left elsewhere since, or
 * whose address has bounced there: that holds here too. Above all, one that has unsubscribed stays so. One whose holder
 * asked to be erased is left out. No mail goes out, and the webhook hears of who has left alone. Each batch is a
 * transaction of its own, and an import that was interrupted can be run again. `onProgress` hears how many have been looked
 * at after each batch.
 */
export async function importSubscribers(
  db: Kysely<Database>,
  subscribers: Iterable<ImportedSubscriber>,
  {
    now = new Date(),
    newsletterWebhookUrl = null,
    onProgress,
  }: { now?: Date; newsletterWebhookUrl?: string | null; onProgress?: OnProgress } = {},
): Promise<Imported> {
  return await inBatches(subscribers, onProgress, async (batch) => {
    await keepWordings(
      db,
      batch.map(({ consentText }) => consentText),
    );
    return await db
      .transaction()
      .execute((trx) => importBatch(trx, batch, { now, newsletterWebhookUrl }));
  });
}

/** What an import would do, without doing it. */
export async function previewImport(
  db: Kysely<Database>,
  subscribers: Iterable<ImportedSubscriber>,
  onProgress?: OnProgress,
): Promise<Imported> {
  return await inBatches(subscribers, onProgress, async (batch) => {
    const { allowed, erased } = await sortOut(db, batch);
    if (allowed.size === 0) return { ...nothing, erased };
    const present = await db
      .selectFrom("subscribers")
      .select("mailbox_key")
      .where("mailbox_key", "in", [...allowed.keys()])
      .execute();
    const ended = countEnded(await findEndedElsewhere(db, allowed));
    return { added: allowed.size - present.length, erased, ...ended };
  });
}

const countNames = ["added", "erased", "left", "bounced"] as const;
const nothing: Imported = { added: 0, erased: 0, left: 0, bounced: 0 };

/** However many there are, those of one batch are in memory. */
async function inBatches(
  subscribers: Iterable<ImportedSubscriber>,
  onProgress: OnProgress = () => {},
  work: (batch: ImportedSubscriber[]) => Promise<Imported>,
): Promise<Imported> {
  const total = { ...nothing };
  let done = 0;
  for (const batch of chunks(subscribers, batchSize)) {
    const counts = await work(batch);
    for (const name of countNames) total[name] += counts[name];
    done += batch.length;
    onProgress(done);
  }
  return total;
}

async function importBatch(
  trx: Kysely<Database>,
  batch: readonly ImportedSubscriber[],
  { now, newsletterWebhookUrl }: { now: Date; newsletterWebhookUrl: string | null },
): Promise<Imported> {
  await lockMailboxes(
    trx,
    batch.map(({ email }) => mailboxKey(email)),
  );
  const { allowed, erased } = await sortOut(trx, batch);
  if (allowed.size === 0) return { ...nothing, erased };
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
  if (entries.length > 0) await addFirstConsentEntries(trx, entries);
  for (const { mailbox_key } of inserted) allowed.delete(mailbox_key);
  const ended = await endHere(trx, allowed, { now, newsletterWebhookUrl });
  return { added: inserted.length, erased, ...ended };
}

/** Each mailbox once, without those whose holders asked to be erased. */
async function sortOut(
  db: Kysely<Database>,
  batch: readonly ImportedSubscriber[],
): Promise<{ allowed: Map<string, ImportedSubscriber>; erased: number }> {
  const gone = await erasedAmong(
    db,
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
  return { allowed, erased };
}

function eventOf(subscriber: ImportedSubscriber): SubscriberEvent {
  const { confirmedAt, unsubscribedAt, bouncedAt } = subscriber;
  if (unsubscribedAt) return "import as left";
  if (bouncedAt) return "import as bounced";
  return confirmedAt ? "import as confirmed" : "import as waiting";
}

function subscriberRow([mailbox, subscriber]: [string, ImportedSubscriber]) {
  const event = eventOf(subscriber);
  const waits = event === "import as waiting";
  const bouncedAt = event === "import as bounced" ? (subscriber.bouncedAt ?? null) : null;
  return {
    email: subscriber.email,
    mailbox_key: mailbox,
    token: newSubscriberToken(),
    subscribed_at: subscriber.subscribedAt,
    // Whether it ever confirmed isn't always known of an address that bounced elsewhere.
    confirmed_at: subscriber.confirmedAt ?? bouncedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
    bounced_at: bouncedAt,
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
