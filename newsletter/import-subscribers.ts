import type { Kysely, Selectable } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database, SubscribersTable } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { applyEvent } from "./apply-event.ts";
import { addConsentEntries } from "./consent-ledger.ts";
import { erasedAmong } from "./erasures.ts";
import { loadSubscriber, lockMailboxes } from "./load-subscriber.ts";
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

type ImportOptions = {
  now?: Date;
  newsletterWebhookUrl?: string | null;
  onProgress?: (done: number) => void;
};

/**
 * Imports subscribers. Existing ones stay as they are, unless they left or bounced elsewhere since; erased ones are
 * skipped. No mail goes out, and the webhook hears only of unsubscribes. Each batch is a transaction, so an interrupted
 * import can be run again.
 */
export async function importSubscribers(
  db: Kysely<Database>,
  subscribers: Iterable<ImportedSubscriber>,
  options: ImportOptions = {},
): Promise<Imported> {
  return await inBatches(db, subscribers, { ...options, isDry: false });
}

/** Counts what an import would do: does it, and rolls it back. */
export async function previewImport(
  db: Kysely<Database>,
  subscribers: Iterable<ImportedSubscriber>,
  options: Pick<ImportOptions, "onProgress"> = {},
): Promise<Imported> {
  return await inBatches(db, subscribers, { ...options, isDry: true });
}

async function inBatches(
  db: Kysely<Database>,
  subscribers: Iterable<ImportedSubscriber>,
  {
    now = new Date(),
    newsletterWebhookUrl = null,
    onProgress,
    isDry,
  }: ImportOptions & { isDry: boolean },
): Promise<Imported> {
  const total: Imported = { added: 0, erased: 0, left: 0, bounced: 0 };
  let done = 0;
  // Visitors' writes go on between two batches.
  for (const batch of chunks(subscribers, 200)) {
    const trx = await db.startTransaction().execute();
    try {
      await importBatch(trx, batch, { now, newsletterWebhookUrl, total });
      if (!isDry) await trx.commit().execute();
    } finally {
      if (!trx.isCommitted) await trx.rollback().execute();
    }
    done += batch.length;
    onProgress?.(done);
  }
  return total;
}

async function importBatch(
  trx: Kysely<Database>,
  batch: ImportedSubscriber[],
  {
    now,
    newsletterWebhookUrl,
    total,
  }: { now: Date; newsletterWebhookUrl: string | null; total: Imported },
): Promise<void> {
  const emails = batch.map(({ email }) => email);
  await lockMailboxes(trx, emails.map(mailboxKey));
  const erased = await erasedAmong(trx, emails);
  const allowed = new Map<string, ImportedSubscriber>();
  for (const subscriber of batch) {
    const mailbox = mailboxKey(subscriber.email);
    if (erased.has(subscriber.email)) total.erased += 1;
    else if (!allowed.has(mailbox)) allowed.set(mailbox, subscriber);
  }
  if (allowed.size === 0) return;
  const inserted = await trx
    .insertInto("subscribers")
    .values([...allowed].map(subscriberRow))
    .onConflict((conflict) => conflict.column("mailbox_key").doNothing())
    .returning("mailbox_key")
    .execute();
  const added = new Set(inserted.map(({ mailbox_key }) => mailbox_key));
  total.added += added.size;
  const entries = [...allowed].flatMap(([mailbox_key, subscriber]) =>
    added.has(mailbox_key)
      ? {
          mailbox_key,
          event: "imported" as const,
          email: subscriber.email,
          wording: subscriber.consentText,
          page: subscriber.consentPage,
          network_address: subscriber.consentAddress,
          occurred_at: subscriber.subscribedAt,
          recorded_at: now.toISOString(),
        }
      : [],
  );
  await addConsentEntries(trx, entries);

  for (const mailbox of added) allowed.delete(mailbox);
  for (const { mailbox, event, at } of await findEndedElsewhere(trx, allowed)) {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const happening = { event, occurredAt: new Date(at), way: "import", now } as const;
    await applyEvent(trx, loaded, { ...happening, newsletterWebhookUrl });
    if (event === "leave") total.left += 1;
    else total.bounced += 1;
  }
}

function subscriberRow([mailbox, subscriber]: [string, ImportedSubscriber]) {
  const { email, subscribedAt, confirmedAt, unsubscribedAt } = subscriber;
  const bouncedAt = unsubscribedAt ? null : (subscriber.bouncedAt ?? null);
  const isWaiting = !confirmedAt && !unsubscribedAt && !bouncedAt;
  return {
    email,
    mailbox_key: mailbox,
    token: newSubscriberToken(),
    subscribed_at: subscribedAt,
    // Only a confirmed subscriber can be bounced.
    confirmed_at: confirmedAt ?? bouncedAt,
    unsubscribed_at: unsubscribedAt,
    bounced_at: bouncedAt,
    pending_email: isWaiting ? email : null,
    pending_since: isWaiting ? subscribedAt : null,
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

type Standing = Pick<
  Selectable<SubscribersTable>,
  "mailbox_key" | "confirmed_at" | "bounced_at" | "pending_since"
>;

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
