import { type Kysely, sql } from "kysely";
import { retention } from "#content/retention.ts";
import type { Database } from "../database/tables.ts";
import { deleteMailFiles, mailFilesBefore } from "../email/mail-files.ts";

/** How many rows of each kind went, or lost their network address. */
export type Deleted = {
  messages: number;
  messageAddresses: number;
  subscribers: number;
  deliveries: number;
};

/**
 * Deletes what the privacy policy promises not to keep any longer, in one transaction. What waits in the outbox or has
 * failed there stays longer than what was sent, since nobody has read it yet; but no longer than the message or sign-up
 * that it is about may be kept.
 */
export async function deleteExpired(db: Kysely<Database>, now: Date): Promise<Deleted> {
  const messagesBefore = yearsBefore(now, retention.contactMessageYears);
  const addressesBefore = daysBefore(now, retention.contactAddressDays);
  const endedBefore = yearsBefore(now, retention.consentYears);
  const unconfirmedBefore = yearsBefore(now, retention.unconfirmedSignUpYears);
  const deliveredBefore = daysBefore(now, retention.deliveryDays);
  const erasedBefore = daysBefore(now, retention.requestDays);

  return await db.transaction().execute(async (trx) => {
    // Counted from the last message of the same address, however it was capitalised.
    const stillWriting = trx
      .selectFrom("contact_messages")
      .select(sql<string>`lower(email)`.as("email"))
      .where("received_at", ">=", messagesBefore);
    const messages = await trx
      .deleteFrom("contact_messages")
      .where("received_at", "<", messagesBefore)
      .where(sql<string>`lower(email)`, "not in", stillWriting)
      .executeTakeFirst();
    const messageAddresses = await trx
      .updateTable("contact_messages")
      .set({ sender_address: null })
      .where("received_at", "<", addressesBefore)
      .where("sender_address", "is not", null)
      .executeTakeFirst();
    const subscribers = await trx
      .deleteFrom("subscribers")
      .where((eb) =>
        eb.or([
          eb("unsubscribed_at", "<", endedBefore),
          eb.and([
            eb("confirmed_at", "is", null),
            eb("unsubscribed_at", "is", null),
            eb("subscribed_at", "<", unconfirmedBefore),
          ]),
        ]),
      )
      .executeTakeFirst();
    const deliveries = await trx
      .deleteFrom("outbox")
      .where((eb) =>
        eb.or([
          eb("delivered_at", "<", deliveredBefore),
          eb.and([eb("kind", "=", "contact-email"), eb("created_at", "<", messagesBefore)]),
          eb.and([eb("kind", "!=", "contact-email"), eb("created_at", "<", unconfirmedBefore)]),
          eb("erased_at", "<", erasedBefore),
        ]),
      )
      .executeTakeFirst();
    return {
      messages: Number(messages.numDeletedRows),
      messageAddresses: Number(messageAddresses.numUpdatedRows),
      subscribers: Number(subscribers.numDeletedRows),
      deliveries: Number(deliveries.numDeletedRows),
    };
  });
}

/** Deletes mail that was written to files as long ago as the outbox keeps what was sent. Answers how many files. */
export async function deleteExpiredMailFiles(dataDir: string, now: Date): Promise<number> {
  const names = await mailFilesBefore(dataDir, daysBefore(now, retention.deliveryDays));
  await deleteMailFiles(dataDir, names);
  return names.length;
}

function yearsBefore(now: Date, years: number): string {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() - years);
  return then.toISOString();
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * 24 * 60 * 60 * 1000).toISOString();
}
