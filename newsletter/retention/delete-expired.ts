import { type Kysely, sql } from "kysely";
import { retention } from "#content/retention.ts";
import type { Database } from "#db/tables.ts";
import { deleteMailFiles, mailFilesBefore } from "#mail/mail-files.ts";
import { type Act, type Aged, inBatches } from "./in-batches.ts";

/** How many rows of each kind went, or lost their network address. */
type Deleted = {
  messages: number;
  messageAddresses: number;
  subscribers: number;
  /** Nobody confirmed them. */
  addressChanges: number;
  deliveries: number;
  visits: number;
};

/**
 * Deletes what the privacy policy promises not to keep any longer, a few rows at a time, each batch in a transaction of
 * its own. What waits in the outbox or has failed there stays longer than what was sent, since nobody has read it yet;
 * but no longer than the message or sign-up that it is about may be kept. Ends early, between two batches, when the
 * signal says so.
 */
export async function deleteExpired(
  db: Kysely<Database>,
  now: Date,
  signal?: AbortSignal,
): Promise<Deleted> {
  const messagesBefore = yearsBefore(now, retention.contactMessageYears);
  const addressesBefore = daysBefore(now, retention.contactAddressDays);
  const unconfirmedBefore = yearsBefore(now, retention.unconfirmedSignUpYears);

  const expire = (aged: Aged, act: Act) => inBatches(db, aged, act, signal);
  // What made a row one to delete is asked again with its deletion: between the look and that somebody may have signed
  // up again or confirmed.
  const remove = (aged: Aged, still = sql<boolean>`true`) =>
    expire(aged, async (trx, ids) => {
      const { table, column, before, where = sql<boolean>`true` } = aged;
      const query = trx.deleteFrom(table).where("id", "in", ids).where(where).where(still);
      const removed = await query
        .where(sql<boolean>`${sql.ref(column)} < ${before}`)
        .executeTakeFirst();
      return Number(removed.numDeletedRows);
    });

  const messages = await remove(
    { table: "contact_messages", column: "received_at", before: messagesBefore },
    // Counted from the last message of the same mailbox. Ids are given in the order of arrival.
    sql`(select latest.received_at from contact_messages as latest
      where latest.mailbox_key = contact_messages.mailbox_key
      order by latest.id desc limit 1) < ${messagesBefore}`,
  );
  const messageAddresses = await expire(
    {
      table: "contact_messages",
      column: "received_at",
      before: addressesBefore,
      where: sql`sender_address is not null`,
    },
    async (trx, ids) => {
      const query = trx.updateTable("contact_messages").set({ sender_address: null });
      return Number((await query.where("id", "in", ids).executeTakeFirst()).numUpdatedRows);
    },
  );
  const left = await remove({
    table: "subscribers",
    column: "unsubscribed_at",
    before: yearsBefore(now, retention.consentYears),
    where: sql`unsubscribed_at is not null`,
  });
  const unconfirmed = await remove({
    table: "subscribers",
    column: "subscribed_at",
    before: unconfirmedBefore,
    where: sql`confirmed_at is null and unsubscribed_at is null`,
  });
  const addressChanges = await remove({
    table: "address_changes",
    column: "asked_at",
    before: unconfirmedBefore,
  });
  const delivered = await remove({
    table: "outbox",
    column: "delivered_at",
    before: daysBefore(now, retention.deliveryDays),
    where: sql`delivered_at is not null`,
  });
  const tooOld = await remove(
    { table: "outbox", column: "created_at", before: unconfirmedBefore },
    sql`(kind <> 'contact-email' or created_at < ${messagesBefore})`,
  );
  const erased = await remove({
    table: "outbox",
    column: "erased_at",
    before: daysBefore(now, retention.requestDays),
    where: sql`erased_at is not null`,
  });
  // Of a day there are a few hundred, and there is one more day each day.
  const oldVisits = await db
    .deleteFrom("daily_visits")
    .where("day", "<", yearsBefore(now, retention.visitYears).slice(0, 10))
    .executeTakeFirst();
  return {
    messages,
    messageAddresses,
    subscribers: left + unconfirmed,
    addressChanges,
    deliveries: delivered + tooOld + erased,
    visits: Number(oldVisits.numDeletedRows),
  };
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
