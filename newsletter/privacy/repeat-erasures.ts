import { type Kysely, type Selectable, sql } from "kysely";
import type { Database, ErasuresTable } from "#db/tables.ts";
import { eraseMailbox } from "./erase-mailbox.ts";
import { addressHashes, recordErasure } from "./erasures.ts";

const pageRows = 1_000;

/**
 * Carries out again, on a restored database, the erasures that came after its backup, and remembers them there. What a
 * person has sent since then stays. Answers how many mailboxes were still in it.
 */
export async function repeatErasures(
  db: Kysely<Database>,
  erasures: readonly Selectable<ErasuresTable>[],
  now: Date,
): Promise<number> {
  const erasedAt = new Map(erasures.map((one) => [one.address_hash, one.erased_at]));
  const present = new Map<string, string>();
  if (erasedAt.size > 0) {
    for await (const mailbox of knownMailboxes(db)) {
      for (const hash of addressHashes(mailbox)) {
        if (erasedAt.has(hash)) present.set(hash, mailbox);
      }
    }
  }
  let repeated = 0;
  for (const [hash, until] of erasedAt) {
    const email = present.get(hash);
    if (email !== undefined) {
      // The webhook was told at the time.
      const erased = await eraseMailbox({ db, newsletterWebhookUrl: null, now }, { email, until });
      const rows =
        erased.subscriptions + erased.addressChanges + erased.messages + erased.deliveries;
      if (rows > 0) repeated += 1;
    }
    await recordErasure(db, { hash, erasedAt: until });
  }
  return repeated;
}

const mailboxColumns = [
  ["subscribers", "mailbox_key"],
  ["address_changes", "to_mailbox"],
  ["contact_messages", "mailbox_key"],
  ["outbox", "mailbox_key"],
] as const;

/** Each mailbox that something is about, in pages of the index, so that no list of all of them stands in memory. */
async function* knownMailboxes(db: Kysely<Database>): AsyncGenerator<string> {
  for (const [table, column] of mailboxColumns) {
    for (let after = ""; ; ) {
      const rows = await db
        .selectFrom(table)
        .select(sql.ref<string | null>(column).as("mailbox"))
        .distinct()
        .where(sql.ref<string>(column), ">", after)
        .orderBy(sql.ref(column))
        .limit(pageRows)
        .execute();
      for (const { mailbox } of rows) if (mailbox !== null) yield mailbox;
      after = rows.at(-1)?.mailbox ?? after;
      if (rows.length < pageRows) break;
    }
  }
}
