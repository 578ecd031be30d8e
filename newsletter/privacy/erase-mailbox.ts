import { type Kysely, sql } from "kysely";
import { isPostgres } from "#db/is-postgres.ts";
import { DatabaseLockedError, isSqliteBusy } from "#db/sqlite-errors.ts";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { withdrawAddressChangesTo } from "../address-change/withdraw-address-change.ts";
import { forgetSubscriber } from "../forget-subscriber.ts";
import { loadSubscriber } from "../load-subscriber.ts";
import { addressHash, recordErasure } from "./erasures.ts";

type Erased = {
  subscriptions: number;
  /** Wishes of readers to be sent the newsletter at this address. */
  addressChanges: number;
  messages: number;
  deliveries: number;
  /** Mail files bear these in their names. */
  deliveryIds: string[];
  /** The webhook is told that the subscription ended, in a delivery that goes with its arrival. */
  webhookTold: boolean;
};

type EraseDeps = {
  db: Kysely<Database>;
  newsletterWebhookUrl: string | null;
  now: Date;
};

/**
 * Deletes everything that is kept about a mailbox, in one transaction: the subscription with its proof of consent,
 * contact messages, and what the outbox holds, sent or not (GDPR, art. 17; PIPEDA, principle 4.5). Where the webhook has
 * heard of a subscription that was running, it hears of its end (GDPR, art. 19). What stays is a hash, so that no import
 * or restored backup brings the person back. With `until`, only what was there at that moment (ISO 8601).
 */
export async function eraseMailbox(
  { db, newsletterWebhookUrl, now }: EraseDeps,
  { email, until = now.toISOString() }: { email: string; until?: string },
): Promise<Erased> {
  const mailbox = mailboxKey(email);
  return await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const addressChanges = await withdrawAddressChangesTo(trx, { mailbox, until, now });
    const isDue = loaded.row !== null && loaded.row.subscribed_at <= until;
    const forgotten = isDue
      ? await forgetSubscriber(trx, loaded, { event: "erase", now, until, newsletterWebhookUrl })
      : { deliveryIds: [], webhookTold: false };
    const messages = await trx
      .deleteFrom("contact_messages")
      .where("mailbox_key", "=", mailbox)
      .where("received_at", "<=", until)
      .returning("id")
      .execute();
    const others = await trx
      .deleteFrom("outbox")
      .where("mailbox_key", "=", mailbox)
      .where("created_at", "<=", until)
      .returning("delivery_id")
      .execute();
    const deliveryIds = [...forgotten.deliveryIds, ...others.map(({ delivery_id }) => delivery_id)];
    if (isDue || addressChanges + messages.length + deliveryIds.length > 0) {
      await recordErasure(trx, { hash: addressHash(mailbox), erasedAt: until });
    }
    return {
      subscriptions: isDue ? 1 : 0,
      addressChanges,
      messages: messages.length,
      deliveries: deliveryIds.length,
      deliveryIds,
      webhookTold: forgotten.webhookTold,
    };
  });
}

/**
 * Takes what was deleted out of SQLite's log of changes too, as far as no reader is in the way; PostgreSQL does so by
 * itself, by its own clock.
 */
export async function forgetDeletedPages(db: Kysely<Database>): Promise<void> {
  if (isPostgres(db)) return;
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch (error) {
    // A server that writes at this moment folds its log in by itself later.
    if (!isSqliteBusy(error) && !(error instanceof DatabaseLockedError)) throw error;
  }
}
