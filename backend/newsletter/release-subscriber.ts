import { mailboxKey } from "../email/mailbox-key.ts";
import { enqueue, newDeliveryId } from "../outbox/enqueue.ts";
import { announce } from "./announce.ts";
import { findRecentMails, lockMailbox } from "./confirmation-pause.ts";
import { emailKey } from "./email-key.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";

export type ReleaseSubscriberResult =
  | {
      ok: true;
      email: string;
      /** When the confirmation mail goes out at the earliest. */
      mailAt: Date;
    }
  | { ok: false; reason: "unknown_subscriber" | "not_held" };

/**
 * Lets a held sign-up go on: the confirmation mail and the webhook event, with the row or not at all. A mailbox that was
 * sent such a mail within the hour gets this one when the hour is over.
 */
export async function releaseSubscriber(
  {
    db,
    newsletterWebhookUrl,
    now,
  }: Pick<NewsletterDeps, "db" | "newsletterWebhookUrl"> & { now: Date },
  { email }: { email: string },
): Promise<ReleaseSubscriberResult> {
  const key = emailKey(email);
  const mailbox = mailboxKey(email);
  return await db.transaction().execute(async (trx): Promise<ReleaseSubscriberResult> => {
    await lockMailbox(trx, mailbox);
    const pauses = (await findRecentMails(trx, mailbox, now)).map((mail) =>
      mail.pauseUntil.getTime(),
    );
    const deliveryId = newDeliveryId();
    const row = await trx
      .updateTable("subscribers")
      .set({ held_at: null, released_at: now.toISOString() })
      .set({ confirmed_at: null, unsubscribed_at: null, confirmation_delivery_id: deliveryId })
      .where("email_key", "=", key)
      .where("held_at", "is not", null)
      .returning(["email", "token"])
      .executeTakeFirst();
    if (!row) {
      const known = await trx
        .selectFrom("subscribers")
        .select("id")
        .where("email_key", "=", key)
        .executeTakeFirst();
      return { ok: false, reason: known ? "not_held" : "unknown_subscriber" };
    }
    const mailAt = new Date(Math.max(now.getTime(), ...pauses));
    const mail = { kind: "confirmation-email", payload: row, now } as const;
    await enqueue(trx, { ...mail, deliveryId, notBefore: mailAt });
    const type = "newsletter.subscribed";
    await announce(trx, { type, email: row.email, now, newsletterWebhookUrl });
    return { ok: true, email: row.email, mailAt };
  });
}
