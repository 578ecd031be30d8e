import type { Kysely, Selectable } from "kysely";
import type { Database, ErasuresTable } from "../database/tables.ts";
import { eraseMailbox } from "./erase-mailbox.ts";
import { addressHash, recordErasure } from "./erasures.ts";

/**
 * Carries out again, on a restored database, the erasures that came after its backup, and remembers them there. What a
 * person has sent since then stays. Answers how many mailboxes were still in it.
 */
export async function repeatErasures(
  db: Kysely<Database>,
  erasures: readonly Selectable<ErasuresTable>[],
  now: Date,
): Promise<number> {
  const addresses = await knownAddresses(db);
  let repeated = 0;
  for (const { address_hash, erased_at } of erasures) {
    const email = addresses.get(address_hash);
    if (email !== undefined) {
      // The webhook was told at the time.
      const erased = await eraseMailbox(
        { db, newsletterWebhookUrl: null, now },
        { email, until: erased_at },
      );
      const rows = erased.subscriptions + erased.messages + erased.deliveries;
      if (rows > 0) repeated += 1;
    }
    await recordErasure(db, { hash: address_hash, erasedAt: erased_at });
  }
  return repeated;
}

async function knownAddresses(db: Kysely<Database>): Promise<Map<string, string>> {
  const subscribers = await db.selectFrom("subscribers").select("email").execute();
  const senders = await db.selectFrom("contact_messages").select("email").distinct().execute();
  return new Map([...subscribers, ...senders].map(({ email }) => [addressHash(email), email]));
}
