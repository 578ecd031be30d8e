import { hash } from "node:crypto";
import type { Insertable, Kysely, Selectable } from "kysely";
import { insertRows } from "#db/insert-rows.ts";
import type { ConsentEventsTable, Database } from "#db/tables.ts";
import { chainStart, nextPreviousHashes } from "./consent-chain.ts";
import type { ConsentEvent, LeavingWay } from "./consent-event.ts";

export type ConsentEntry = {
  mailbox: string;
  /** Given where the mailbox is only just made, so that nothing can stand in the ledger for it. */
  isFirst?: boolean;
  event: ConsentEvent;
  /** As typed. */
  email: string;
  occurredAt: string;
  recordedAt: string;
  wording?: string;
  /** Of a wording that is kept already. */
  wordingHash?: string;
  /** Of the other mailbox's entry that this one carries over. */
  carriedHash?: string;
  page?: string | null;
  networkAddress?: string | null;
  way?: LeavingWay;
};

/** Per database: wordings that are known to be in it for good, so that they are written once and not asked for. */
const cachedWordings = new WeakMap<Kysely<Database>, Set<string>>();
/** Hashes by wording: the same few are signed under again and again. */
const knownHashes = new Map<string, string>();
const rememberedWordings = 100;

/** Whether an entry holds the consent to the sign-up that stands. */
export function isConsentTo(
  { subscribed_at, email }: { subscribed_at: string; email: string },
  entry: Pick<Selectable<ConsentEventsTable>, "occurred_at" | "email" | "wording_hash">,
): boolean {
  return (
    entry.occurred_at === subscribed_at && entry.email === email && entry.wording_hash !== null
  );
}

export function wordingHash(wording: string): string {
  const known = knownHashes.get(wording);
  if (known !== undefined) return known;
  const hashed = hash("sha256", wording, "hex");
  if (knownHashes.size >= rememberedWordings) knownHashes.clear();
  knownHashes.set(wording, hashed);
  return hashed;
}

/** Keeps a wording under its hash, once; entries refer to it. Its own statement, before any transaction needs it. */
export async function keepWordings(
  db: Kysely<Database>,
  wordings: readonly string[],
): Promise<void> {
  const kept = cachedWordings.get(db) ?? new Set();
  const missing = [...new Set(wordings)].filter((wording) => !kept.has(wordingHash(wording)));
  if (missing.length === 0) return;
  await db
    .insertInto("consent_wordings")
    .values(missing.map((wording) => ({ hash: wordingHash(wording), wording })))
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  if (kept.size > rememberedWordings) kept.clear();
  for (const wording of missing) kept.add(wordingHash(wording));
  cachedWordings.set(db, kept);
}

/**
 * Adds entries of different mailboxes to the ledger, each chained to its mailbox's one before; the caller holds the
 * mailboxes' locks. Nothing in the ledger is ever changed, and it goes with the subscriber alone (by triggers).
 */
export async function addConsentEntries(
  trx: Kysely<Database>,
  entries: readonly ConsentEntry[],
): Promise<void> {
  await insertRows(trx, { table: "consent_events", rows: await consentRows(trx, entries) });
}

/** The same entries as rows, for a statement that adds others beside them. */
export async function consentRows(
  trx: Kysely<Database>,
  entries: readonly ConsentEntry[],
): Promise<Insertable<ConsentEventsTable>[]> {
  const previous = await nextPreviousHashes(trx, entries);
  return entries.map((entry, index) => ({
    ...rowOf(entry),
    previous_hash: previous[index] ?? null,
  }));
}

/** Adds the first entries of mailboxes that the transaction has just made. */
export async function addFirstConsentEntries(
  trx: Kysely<Database>,
  entries: readonly ConsentEntry[],
): Promise<void> {
  await trx
    .insertInto("consent_events")
    .values(entries.map((entry) => ({ ...rowOf(entry), previous_hash: chainStart(entry.mailbox) })))
    .execute();
}

function rowOf(entry: ConsentEntry) {
  return {
    mailbox_key: entry.mailbox,
    event: entry.event,
    email: entry.email,
    wording_hash:
      entry.wording === undefined ? (entry.wordingHash ?? null) : wordingHash(entry.wording),
    page: entry.page ?? null,
    network_address: entry.networkAddress ?? null,
    way: entry.way ?? null,
    occurred_at: entry.occurredAt,
    recorded_at: entry.recordedAt,
    carried_hash: entry.carriedHash ?? null,
  };
}
