import { retention } from "#content/retention.ts";
import type { Db } from "#db/tables.ts";
import { deleteMailFiles, mailFilesBefore } from "#mail/mail-files.ts";

type Deleted = {
  messages: number;
  messageAddresses: number;
  subscribers: number;
  deliveries: number;
  visits: number;
};

/**
 * Deletes what the privacy policy promises to delete. Undelivered jobs stay longer than delivered ones, but no longer than
 * the message or sign-up they are about.
 */
export async function deleteExpired(db: Db, now: Date): Promise<Deleted> {
  const messagesBefore = yearsBefore(now, retention.contactMessageYears);
  const unconfirmedBefore = yearsBefore(now, retention.unconfirmedSignUpYears);
  const messages = await db
    .deleteFrom("contact_messages")
    .where("received_at", "<", messagesBefore)
    // Counted from the mailbox's last message.
    .where("mailbox_key", "not in", (eb) =>
      eb
        .selectFrom("contact_messages as later")
        .select("later.mailbox_key")
        .where("later.received_at", ">=", messagesBefore),
    )
    .executeTakeFirst();
  const messageAddresses = await db
    .updateTable("contact_messages")
    .set({ sender_address: null })
    .where("received_at", "<", daysBefore(now, retention.contactAddressDays))
    .where("sender_address", "is not", null)
    .executeTakeFirst();
  const left = await db
    .deleteFrom("subscribers")
    .where("unsubscribed_at", "<", yearsBefore(now, retention.consentYears))
    .executeTakeFirst();
  const unconfirmed = await db
    .deleteFrom("subscribers")
    .where("subscribed_at", "<", unconfirmedBefore)
    .where("confirmed_at", "is", null)
    .where("unsubscribed_at", "is", null)
    .executeTakeFirst();
  const deliveries = await db
    .deleteFrom("outbox")
    .where((eb) =>
      eb.or([
        eb("delivered_at", "<", daysBefore(now, retention.deliveryDays)),
        eb("erased_at", "<", daysBefore(now, retention.requestDays)),
        eb("created_at", "<", messagesBefore),
        eb("created_at", "<", unconfirmedBefore).and("kind", "<>", "contact-email"),
      ]),
    )
    .executeTakeFirst();
  const visits = await db
    .deleteFrom("daily_visits")
    .where("day", "<", yearsBefore(now, retention.visitYears).slice(0, 10))
    .executeTakeFirst();
  return {
    messages: Number(messages.numDeletedRows),
    messageAddresses: Number(messageAddresses.numUpdatedRows),
    subscribers: Number(left.numDeletedRows + unconfirmed.numDeletedRows),
    deliveries: Number(deliveries.numDeletedRows),
    visits: Number(visits.numDeletedRows),
  };
}

/** Deletes mail files as old as delivered jobs. Returns how many. */
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

const dayMs = 24 * 60 * 60 * 1000;

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}

/**
 * Whether to delete by this clock: a machine that starts years ahead would delete too much. After a jump by more than a
 * day back or a month ahead, the next call trusts the new time.
 */
export async function isClockTrusted(db: Db, now: Date): Promise<boolean> {
  const name = "clock last seen";
  const last = await db
    .selectFrom("marks")
    .select("set_at")
    .where("name", "=", name)
    .executeTakeFirst();
  const set_at = now.toISOString();
  await db
    .insertInto("marks")
    .values({ name, set_at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ set_at }))
    .execute();
  const sinceLastMs = last ? now.getTime() - Date.parse(last.set_at) : 0;
  return sinceLastMs >= -dayMs && sinceLastMs <= 30 * dayMs;
}
