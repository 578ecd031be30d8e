import { type Kysely, sql } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import { DatabaseLockedError, isSqliteBusy } from "../database/sqlite-busy.ts";
import type { Database } from "../database/tables.ts";
import { mailboxKey } from "../email/mailbox-key.ts";
import { announce } from "../newsletter/announce.ts";
import { addressHash, recordErasure } from "./erasures.ts";

export type Erased = {
  subscriptions: number;
  messages: number;
  deliveries: number;
  /** Mail files bear these in their names. */
  deliveryIds: string[];
  /** The webhook is told that the subscription ended, in a delivery that goes with its arrival. */
  webhookTold: boolean;
};

export type EraseDeps = {
  db: Kysely<Database>;
  newsletterWebhookUrl: string | null;
  now: Date;
};

/**
 * Deletes everything that is held about a mailbox, in one transaction: subscriptions with their proof of consent,
 * contact messages, and what the outbox holds, sent or not (GDPR, art. 17; PIPEDA, principle 4.5). Where a
 * subscription was running, the webhook hears of its end (GDPR, art. 19). What stays is a hash, so that no import or
 * restored backup brings the person back. With `until`, only what was there at that moment (ISO 8601).
 */
export async function eraseMailbox(
  { db, newsletterWebhookUrl, now }: EraseDeps,
  { email, until = now.toISOString() }: { email: string; until?: string },
): Promise<Erased> {
  const mailbox = mailboxKey(email);
  return await db.transaction().execute(async (trx) => {
    const subscriptions = await trx
      .deleteFrom("subscribers")
      .where("mailbox_key", "=", mailbox)
      .where("subscribed_at", "<=", until)
      .returningAll()
      .execute();
    const messages = await trx
      .deleteFrom("contact_messages")
      .where("mailbox_key", "=", mailbox)
      .where("received_at", "<=", until)
      .returning("id")
      .execute();
    const deliveries = await trx
      .deleteFrom("outbox")
      .where("mailbox_key", "=", mailbox)
      .where("created_at", "<=", until)
      .returning("delivery_id")
      .execute();
    const running = subscriptions.filter((row) => !row.unsubscribed_at && wasAnnounced(row));
    for (const subscription of running) {
      await announce(trx, {
        type: "newsletter.unsubscribed",
        email: subscription.email,
        now,
        newsletterWebhookUrl,
        erasedAt: now,
      });
    }
    if (subscriptions.length + messages.length + deliveries.length > 0) {
      await recordErasure(trx, { hash: addressHash(email), erasedAt: until });
    }
    return {
      subscriptions: subscriptions.length,
      messages: messages.length,
      deliveries: deliveries.length,
      deliveryIds: deliveries.map((row) => row.delivery_id),
      webhookTold: newsletterWebhookUrl !== null && running.length > 0,
    };
  });
}

/** Of a sign-up that was held from the beginning the webhook has never heard, and needn't now. */
function wasAnnounced(row: { held_at: string | null; confirmation_delivery_id: string | null }) {
  return row.held_at === null || row.confirmation_delivery_id !== null;
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
