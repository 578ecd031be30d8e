import { hash } from "node:crypto";
import { type Kysely, type Selectable, sql } from "kysely";
import { isPostgres } from "#db/is-postgres.ts";
import type { ConsentEventsTable, Database } from "#db/tables.ts";

type ChainedEntry = Omit<Selectable<ConsentEventsTable>, "id">;

/** What stands before a mailbox's first entry, so that a chain can't be passed off as another mailbox's. */
export function chainStart(mailbox: string): string {
  return sha256(JSON.stringify(["consent", mailbox]));
}

/**
 * The SHA-256 of an entry with the hash of the one before it, as a JSON array without blanks: `[previous hash, mailbox,
 * event, address, SHA-256 of the wording, page, network address, way, occurred at, recorded at]`, and last the hash of the
 * entry that it carries over, where it carries one.
 */
function entryHash(entry: Omit<ChainedEntry, "previous_hash">, previous: string): string {
  const { mailbox_key, event, email, wording_hash, page, network_address, way } = entry;
  const content = [previous, mailbox_key, event, email, wording_hash, page, network_address, way];
  const carried = entry.carried_hash === null ? [] : [entry.carried_hash];
  return sha256(JSON.stringify([...content, entry.occurred_at, entry.recorded_at, ...carried]));
}

/** A mailbox's entries in their order: the hash of each, and the first one that doesn't fit those before it. */
type CheckedChain = { hashes: string[]; brokenAt: number | null };

/**
 * Checks that nothing was changed, put in or taken out between entries. What was written before there were chains has no
 * hash of its own, and counts as it was when the first entry after it was written.
 */
export function checkChain(mailbox: string, entries: readonly ChainedEntry[]): CheckedChain {
  const hashes: string[] = [];
  let previous = chainStart(mailbox);
  let brokenAt: number | null = null;
  let isChained = false;
  for (const [index, entry] of entries.entries()) {
    const fits = entry.previous_hash === null ? !isChained : entry.previous_hash === previous;
    if (!fits) brokenAt ??= index;
    isChained ||= entry.previous_hash !== null;
    previous = entryHash(entry, previous);
    hashes.push(previous);
  }
  return { hashes, brokenAt };
}

/**
 * What the next entry of each mailbox carries, in their order; each mailbox once. One statement for all that have entries,
 * and one more for each whose last one is from before there were chains.
 */
export async function nextPreviousHashes(
  trx: Kysely<Database>,
  next: readonly { mailbox: string; isFirst?: boolean }[],
): Promise<string[]> {
  const mailboxes = next.map(({ mailbox }) => mailbox);
  const begun = next.filter(({ isFirst }) => !isFirst).map(({ mailbox }) => mailbox);
  const last = begun.length === 0 ? [] : await lastEntries(trx, begun);
  const lastOf = new Map(last.map((entry) => [entry.mailbox_key, entry]));
  const hashes: string[] = [];
  for (const mailbox of mailboxes) {
    const entry = lastOf.get(mailbox);
    if (!entry) hashes.push(chainStart(mailbox));
    else if (entry.previous_hash !== null) hashes.push(entryHash(entry, entry.previous_hash));
    else hashes.push(await hashUpToNow(trx, mailbox));
  }
  return hashes;
}

/** Sorted by what is no index: going down the ids for a mailbox that has no entry would read the whole ledger. */
async function lastEntries(trx: Kysely<Database>, mailboxes: readonly string[]) {
  if (!isPostgres(trx)) {
    const last = await Promise.all(mailboxes.map((mailbox) => lastEntry(trx, mailbox)));
    return last.filter((entry) => entry !== undefined);
  }
  const { rows } = await sql<Selectable<ConsentEventsTable>>`select last.*
    from unnest(${mailboxes}::text[]) as mailbox,
      lateral (select * from consent_events where mailbox_key = mailbox order by id + 0 desc limit 1) as last`.execute(
    trx,
  );
  return rows;
}

function lastEntry(trx: Kysely<Database>, mailbox: string) {
  const entries = trx.selectFrom("consent_events").selectAll().where("mailbox_key", "=", mailbox);
  return entries.orderBy("id", "desc").limit(1).executeTakeFirst();
}

async function hashUpToNow(trx: Kysely<Database>, mailbox: string): Promise<string> {
  const entries = trx.selectFrom("consent_events").selectAll().where("mailbox_key", "=", mailbox);
  const { hashes } = checkChain(mailbox, await entries.orderBy("id").execute());
  return hashes.at(-1) ?? chainStart(mailbox);
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
