import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { applyEvent } from "./apply-event.ts";
import { addConsentEntries, type ConsentEntry } from "./consent-ledger.ts";
import { erasedAmong } from "./erasures.ts";
import { loadSubscriber, lockMailboxes } from "./load-subscriber.ts";
import { type SubscriberEvent, stateOf, subscriberStates } from "./subscriber-states.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

/** A subscriber of an imported list; times are ISO 8601 in UTC with milliseconds. */
export type ImportedSubscriber = {
  email: string;
  consentText: string;
  consentPage: string | null;
  consentAddress: string | null;
  subscribedAt: string;
  confirmedAt: string | null;
  unsubscribedAt: string | null;
  /** When the address bounced there. */
  bouncedAt?: string | null;
  /** Whether the list lacks the time of the end, so that the import's is used. */
  isEndUndated?: boolean;
};

/** `left` and `bounced` count subscribers here who left or bounced there since. */
type Imported = { added: number; erased: number; left: number; bounced: number };

type OnProgress = (done: number) => void;

/** Visitors' writes go on between two batches. */
const batchSize = 200;

/**
 * Imports subscribers. Existing ones stay as they are, unless they left or bounced elsewhere since; erased ones are
 * skipped. No mail goes out, and the webhook hears only of unsubscribes. Each batch is a transaction, so an interrupted
 * import can be run again.
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
  return await inBatches(subscribers, onProgress, (batch) =>
    db.transaction().execute((trx) => importBatch(trx, batch, { now, newsletterWebhookUrl })),
  );
}

/** Counts what an import would do, without doing it. */
export async function previewImport(
  db: Kysely<Database>,
  subscribers: Iterable<ImportedSubscriber>,
  { onProgress }: { onProgress?: OnProgress } = {},
): Promise<Imported> {
  return await inBatches(subscribers, onProgress, async (batch) => {
    const { allowed, erased } = await leaveOutErased(db, batch);
    if (allowed.size === 0) return { added: 0, erased, left: 0, bounced: 0 };
    const present = await db
      .selectFrom("subscribers")
      .select("mailbox_key")
      .where("mailbox_key", "in", [...allowed.keys()])
      .execute();
    const ended = await findEndedElsewhere(db, allowed);
    return { added: allowed.size - present.length, erased, ...countEnded(ended) };
  });
}

async function inBatches(
  subscribers: Iterable<ImportedSubscriber>,
  onProgress: OnProgress = () => {},
  work: (batch: ImportedSubscriber[]) => Promise<Imported>,
): Promise<Imported> {
  const total: Imported = { added: 0, erased: 0, left: 0, bounced: 0 };
  let done = 0;
  for (const batch of chunks(subscribers, batchSize)) {
    const { added, erased, left, bounced } = await work(batch);
    total.added += added;
    total.erased += erased;
    total.left += left;
    total.bounced += bounced;
    done += batch.length;
    onProgress(done);
  }
  return total;
}

async function importBatch(
  trx: Kysely<Database>,
  batch: ImportedSubscriber[],
  { now, newsletterWebhookUrl }: { now: Date; newsletterWebhookUrl: string | null },
): Promise<Imported> {
  await lockMailboxes(
    trx,
    batch.map(({ email }) => mailboxKey(email)),
  );
  const { allowed, erased } = await leaveOutErased(trx, batch);
  if (allowed.size === 0) return { added: 0, erased, left: 0, bounced: 0 };
  const inserted = await trx
    .insertInto("subscribers")
    .values([...allowed].map(subscriberRow))
    .onConflict((conflict) => conflict.column("mailbox_key").doNothing())
    .returning("mailbox_key")
    .execute();
  const isNew = new Set(inserted.map(({ mailbox_key }) => mailbox_key));
  const entries = [...allowed].filter(([mailbox]) => isNew.has(mailbox));
  if (entries.length > 0) {
    await addConsentEntries(
      trx,
      entries.map((entry) => importEntry(entry, now)),
    );
  }
  for (const mailbox of isNew) allowed.delete(mailbox);

  const ended = await findEndedElsewhere(trx, allowed);
  for (const { mailbox, event, at } of ended) {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const happening = { event, occurredAt: new Date(at), way: "import", now } as const;
    await applyEvent(trx, loaded, { ...happening, newsletterWebhookUrl });
  }
  return { added: isNew.size, erased, ...countEnded(ended) };
}

/** Each mailbox once, without the erased ones. */
async function leaveOutErased(
  db: Kysely<Database>,
  batch: ImportedSubscriber[],
): Promise<{ allowed: Map<string, ImportedSubscriber>; erased: number }> {
  const gone = await erasedAmong(
    db,
    batch.map(({ email }) => email),
  );
  const allowed = new Map<string, ImportedSubscriber>();
  let erased = 0;
  for (const subscriber of batch) {
    // The insert finds out which already have a row.
    const state = stateOf(null, gone.has(subscriber.email));
    const mailbox = mailboxKey(subscriber.email);
    if (subscriberStates[state][eventOf(subscriber)].answer === "erased") erased += 1;
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
  const isWaiting = event === "import as waiting";
  const bouncedAt = event === "import as bounced" ? (subscriber.bouncedAt ?? null) : null;
  return {
    email: subscriber.email,
    mailbox_key: mailbox,
    token: newSubscriberToken(),
    subscribed_at: subscriber.subscribedAt,
    // Only a confirmed subscriber can be bounced.
    confirmed_at: subscriber.confirmedAt ?? bouncedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
    bounced_at: bouncedAt,
    pending_email: isWaiting ? subscriber.email : null,
    pending_since: isWaiting ? subscriber.subscribedAt : null,
  };
}

function importEntry([mailbox, subscriber]: [string, ImportedSubscriber], now: Date): ConsentEntry {
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

type Ended = { mailbox: string; event: "leave" | "bounce"; at: string };

/** Finds subscribers who are mailed from here, or would be after a release, and who ended elsewhere. */
async function findEndedElsewhere(
  db: Kysely<Database>,
  listed: Map<string, ImportedSubscriber>,
): Promise<Ended[]> {
  const gone = [...listed].filter(([, one]) => one.unsubscribedAt || one.bouncedAt);
  if (gone.length === 0) return [];
  const mailboxes = gone.map(([mailbox]) => mailbox);
  const standing = await db
    .selectFrom("subscribers")
    .select(["mailbox_key", "confirmed_at", "bounced_at", "pending_since"])
    .where("mailbox_key", "in", mailboxes)
    .where("confirmed_at", "is not", null)
    .where("unsubscribed_at", "is", null)
    .execute();
  const entries = await db
    .selectFrom("consent_events")
    .select(["mailbox_key", "event", "recorded_at"])
    .where("mailbox_key", "in", mailboxes)
    .where("event", "in", ["imported", "confirmed", "released"])
    .orderBy("id")
    .execute();
  const entriesOf = Map.groupBy(entries, ({ mailbox_key }) => mailbox_key);
  return standing.flatMap((row) => {
    const subscriber = listed.get(row.mailbox_key);
    return (subscriber && endOf(row, subscriber, entriesOf.get(row.mailbox_key) ?? [])) ?? [];
  });
}

type Standing = {
  mailbox_key: string;
  confirmed_at: string | null;
  bounced_at: string | null;
  pending_since: string | null;
};

/**
 * The latest decision counts; of two at the same time, the one that stops mail. An end without a time beats an imported
 * confirmation, not one made here or a release.
 */
function endOf(
  { mailbox_key: mailbox, confirmed_at, bounced_at, pending_since }: Standing,
  { unsubscribedAt, bouncedAt, isEndUndated = false }: ImportedSubscriber,
  entries: { event: string; recorded_at: string }[],
): Ended | null {
  const event = unsubscribedAt ? "leave" : "bounce";
  const at = unsubscribedAt ?? bouncedAt;
  if (!at || (event === "bounce" && bounced_at !== null)) return null;
  const latest = (name: string) =>
    entries.findLast((entry) => entry.event === name)?.recorded_at ?? null;
  const importedAt = latest("imported");
  const releasedAt = event === "bounce" ? latest("released") : null;
  const isOwn = importedAt === null || latest("confirmed") !== null;
  if (isEndUndated) {
    return isOwn || pending_since !== null || releasedAt !== null ? null : { mailbox, event, at };
  }
  // An import without times stored its own time as the confirmation's.
  const confirmedAt = !isOwn && confirmed_at === importedAt ? null : confirmed_at;
  const isLatest = [confirmedAt, pending_since, releasedAt].every(
    (one) => one === null || at >= one,
  );
  return isLatest ? { mailbox, event, at } : null;
}

function countEnded(ended: Ended[]): { left: number; bounced: number } {
  const left = ended.filter(({ event }) => event === "leave").length;
  return { left, bounced: ended.length - left };
}
