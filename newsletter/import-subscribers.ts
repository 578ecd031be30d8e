import { chunks } from "#db/chunks.ts";
import type { Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { applyEvent } from "./apply-event.ts";
import { addConsentEntries } from "./consent-ledger.ts";
import { erasedAmong } from "./erasures.ts";
import { type LoadedSubscriber, loadSubscriber, lockMailboxes } from "./load-subscriber.ts";
import type { OperatorDeps } from "./subscribe.ts";
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

type ImportOptions = {
  now?: Date;
  newsletterWebhookUrl?: string | null;
  isDry?: boolean;
  onProgress?: (done: number) => void;
};

/** `left` and `bounced` count subscribers here who left or bounced there since. */
type Imported = { added: number; erased: number; left: number; bounced: number };

/**
 * Imports subscribers. Existing ones stay as they are, unless they left or bounced elsewhere since; erased ones are
 * skipped. No mail goes out, and the webhook hears only of unsubscribes. Each batch is a transaction, so an interrupted
 * import can be run again. With `isDry` each is rolled back, and the counts say what an import would do.
 */
export async function importSubscribers(
  db: Db,
  subscribers: Iterable<ImportedSubscriber>,
  { now = new Date(), newsletterWebhookUrl = null, isDry = false, onProgress }: ImportOptions = {},
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
  trx: Db,
  batch: ImportedSubscriber[],
  { now, newsletterWebhookUrl, total }: Omit<OperatorDeps, "db"> & { total: Imported },
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

  for (const [mailbox, subscriber] of allowed) {
    if (added.has(mailbox) || !(subscriber.unsubscribedAt || subscriber.bouncedAt)) continue;
    const loaded = await loadSubscriber(trx, mailbox, now);
    const end = await endElsewhere(trx, loaded, subscriber);
    if (!end) continue;
    await applyEvent(trx, loaded, { ...end, way: "import", now, newsletterWebhookUrl });
    if (end.event === "leave") total.left += 1;
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

/**
 * How and when a subscriber who is mailed from here, or would be after a release, ended elsewhere. The latest decision
 * counts; of two at the same time, the one that stops mail. An end without a time beats an imported confirmation, not one
 * made here or a release.
 */
async function endElsewhere(
  trx: Db,
  { row, mailbox }: LoadedSubscriber,
  { unsubscribedAt, bouncedAt, isEndUndated = false }: ImportedSubscriber,
): Promise<{ event: "leave" | "bounce"; occurredAt: Date } | null> {
  const event = unsubscribedAt ? "leave" : "bounce";
  const at = unsubscribedAt ?? bouncedAt;
  if (!at || !row?.confirmed_at || row.unsubscribed_at) return null;
  if (event === "bounce" && row.bounced_at !== null) return null;
  const end = { event, occurredAt: new Date(at) } as const;
  const entries = await trx
    .selectFrom("consent_events")
    .select(["event", "recorded_at"])
    .where("mailbox_key", "=", mailbox)
    .orderBy("id")
    .execute();
  const latest = (name: string) =>
    entries.findLast((entry) => entry.event === name)?.recorded_at ?? null;
  const importedAt = latest("imported");
  const releasedAt = event === "bounce" ? latest("released") : null;
  const isOwn = importedAt === null || latest("confirmed") !== null;
  if (isEndUndated) return isOwn || row.pending_since || releasedAt ? null : end;
  // An import without times stored its own time as the confirmation's.
  const confirmedAt = !isOwn && row.confirmed_at === importedAt ? null : row.confirmed_at;
  const decisions = [confirmedAt, row.pending_since, releasedAt];
  return decisions.every((one) => one === null || at >= one) ? end : null;
}
