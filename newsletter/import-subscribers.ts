import { setImmediate as nextRound } from "node:timers/promises";
import type { Selectable } from "kysely";
import { searchTextOf } from "#db/hold-text.ts";
import type { Database, Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { addConsentEntries, applyEvent } from "./apply-event.ts";
import {
  erasedAmong,
  loadSubscriber,
  lockMailboxes,
  newSubscriberToken,
} from "./load-subscriber.ts";
import type { OperatorDeps } from "./subscribe.ts";

/** A subscriber of a list; times are ISO 8601 in UTC with milliseconds. */
export type ImportedSubscriber = {
  email: string;
  consentText: string;
  consentPage: string | null;
  consentAddress: string | null;
  subscribedAt: string;
  confirmedAt: string | null;
  unsubscribedAt: string | null;
  bouncedAt?: string | null;
  /** Whether the list lacks the time of the end, so that the import's is used. */
  isEndUndated?: boolean;
  /** When an implied consent ends. */
  consentEndsAt?: string | null;
  firstName?: string;
  lastName?: string;
  tags?: string;
};

/** `left` and `bounced` count subscribers here who left or bounced there since. */
export type ImportCounts = { added: number; erased: number; left: number; bounced: number };

export const nothingImported: ImportCounts = { added: 0, erased: 0, left: 0, bounced: 0 };

/** Rows per transaction: few, so that visitors' requests and writes come between two. */
const batchSize = 200;

type ImportOptions = Partial<Omit<OperatorDeps, "db">> & {
  /** How many of the list an interrupted import has done, and what became of them. */
  after?: { done: number; counts: ImportCounts };
  /** Stores the progress in each batch's transaction. False undoes the batch and ends the import. */
  keep?: (trx: Db, progress: { done: number; counts: ImportCounts }) => Promise<boolean>;
};

/**
 * Imports subscribers. Existing ones stay as they are, unless they left or bounced elsewhere since, or have no name here;
 * erased ones are skipped. No mail goes out, and the webhook hears only of unsubscribes. Returns what became of those it got to.
 */
export async function importSubscribers(
  db: Db,
  subscribers: readonly ImportedSubscriber[],
  { now = new Date(), newsletterWebhookUrl = null, after, keep }: ImportOptions = {},
): Promise<ImportCounts> {
  let { done, counts } = after ?? { done: 0, counts: nothingImported };
  while (done < subscribers.length) {
    const batch = subscribers.slice(done, done + batchSize);
    const trx = await db.startTransaction().execute();
    try {
      // If two processes are at one import, the later waits here and then finds the batch done.
      await lockMailboxes(
        trx,
        batch.map(({ email }) => mailboxKey(email)),
      );
      const plan = await planImport(trx, batch);
      const next = { done: done + batch.length, counts: add(counts, plan) };
      if (keep && !(await keep(trx, next))) return counts;
      await carryOut(trx, plan, { now, newsletterWebhookUrl });
      await trx.commit().execute();
      ({ done, counts } = next);
    } finally {
      if (!trx.isCommitted) await trx.rollback().execute();
    }
    await nextRound();
  }
  return counts;
}

/** Counts what an import would do. Only reads. */
export async function countImport(
  db: Db,
  subscribers: readonly ImportedSubscriber[],
): Promise<ImportCounts> {
  let counts = nothingImported;
  for (let done = 0; done < subscribers.length; done += batchSize) {
    counts = add(counts, await planImport(db, subscribers.slice(done, done + batchSize)));
    await nextRound();
  }
  return counts;
}

type End = { mailbox: string; event: "leave" | "bounce"; occurredAt: Date };

type Plan = {
  added: Map<string, ImportedSubscriber>;
  /** Known here without a name or tag, by their ids. */
  named: Map<number, ImportedSubscriber>;
  ends: End[];
  erased: number;
};

function add(counts: ImportCounts, { added, ends, erased }: Plan): ImportCounts {
  const left = ends.filter(({ event }) => event === "leave").length;
  return {
    added: counts.added + added.size,
    erased: counts.erased + erased,
    left: counts.left + left,
    bounced: counts.bounced + ends.length - left,
  };
}

async function planImport(db: Db, batch: readonly ImportedSubscriber[]): Promise<Plan> {
  const emails = batch.map(({ email }) => email);
  const erased = await erasedAmong(db, emails);
  const allowed = new Map(
    batch
      .filter(({ email }) => !erased.has(email))
      .map((subscriber) => [mailboxKey(subscriber.email), subscriber]),
  );
  const rows =
    allowed.size === 0
      ? []
      : await db
          .selectFrom("subscribers")
          .selectAll()
          .where("mailbox_key", "in", [...allowed.keys()])
          .execute();
  const added = new Map(allowed);
  const ends: End[] = [];
  const named: Plan["named"] = new Map();
  for (const row of rows) {
    added.delete(row.mailbox_key);
    const subscriber = allowed.get(row.mailbox_key);
    if (subscriber && isNamed(subscriber) && row.first_name + row.last_name + row.tags === "")
      named.set(row.id, { ...subscriber, email: row.email });
    const end = subscriber && (await endElsewhere(db, row, subscriber));
    if (end) ends.push(end);
  }
  return { added, named, ends, erased: batch.filter(({ email }) => erased.has(email)).length };
}

function isNamed({ firstName, lastName, tags }: ImportedSubscriber): boolean {
  return Boolean(firstName || lastName || tags);
}

async function carryOut(
  trx: Db,
  { added, named, ends }: Plan,
  { now, newsletterWebhookUrl }: Omit<OperatorDeps, "db">,
): Promise<void> {
  if (added.size > 0) {
    await trx
      .insertInto("subscribers")
      .values([...added].map(subscriberRow))
      .execute();
  }
  for (const [id, subscriber] of named) {
    const names = namesOf(subscriber);
    await trx.updateTable("subscribers").set(names).where("id", "=", id).execute();
  }
  const entries = [...added].map(([mailbox_key, subscriber]) => ({
    mailbox_key,
    event: "imported" as const,
    email: subscriber.email,
    wording: subscriber.consentText,
    page: subscriber.consentPage,
    network_address: subscriber.consentAddress,
    occurred_at: subscriber.subscribedAt,
    recorded_at: now.toISOString(),
  }));
  await addConsentEntries(trx, entries);
  for (const { mailbox, ...end } of ends) {
    const loaded = await loadSubscriber(trx, mailbox, now);
    await applyEvent(trx, loaded, { ...end, way: "import", now, newsletterWebhookUrl });
  }
}

function namesOf({ email, firstName = "", lastName = "", tags = "" }: ImportedSubscriber) {
  const names = { first_name: firstName, last_name: lastName, tags };
  return { ...names, search_text: searchTextOf("subscribers", { email, ...names }) };
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
    consent_ends_at: subscriber.consentEndsAt ?? null,
    ...namesOf(subscriber),
  };
}

/**
 * How and when a subscriber who is mailed from here, or would be after a release, ended elsewhere. The latest decision
 * counts; of two at the same time, the one that stops mail. An end without a time beats an imported confirmation, not one
 * made here or a release.
 */
async function endElsewhere(
  db: Db,
  row: Selectable<Database["subscribers"]>,
  { unsubscribedAt, bouncedAt, isEndUndated = false }: ImportedSubscriber,
): Promise<End | null> {
  const event = unsubscribedAt ? "leave" : "bounce";
  const at = unsubscribedAt ?? bouncedAt;
  if (!at || !row.confirmed_at || row.unsubscribed_at) return null;
  if (event === "bounce" && row.bounced_at !== null) return null;
  const end = { mailbox: row.mailbox_key, event, occurredAt: new Date(at) } as const;
  const entries = await db
    .selectFrom("consent_events")
    .select(["event", "recorded_at"])
    .where("mailbox_key", "=", row.mailbox_key)
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
