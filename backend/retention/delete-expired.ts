import { type Kysely, type RawBuilder, sql } from "kysely";
import { retention } from "#content/retention.ts";
import type { Database } from "../database/tables.ts";
import { deleteMailFiles, mailFilesBefore } from "../email/mail-files.ts";
import { type Act, type Aged, inBatches } from "./in-batches.ts";

/** How many rows of each kind went, or lost their network address. */
export type Deleted = {
  messages: number;
  messageAddresses: number;
  subscribers: number;
  deliveries: number;
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
  const endedBefore = yearsBefore(now, retention.consentYears);
  const unconfirmedBefore = yearsBefore(now, retention.unconfirmedSignUpYears);
  const deliveredBefore = daysBefore(now, retention.deliveryDays);
  const erasedBefore = daysBefore(now, retention.requestDays);

  const expire = (aged: Aged, act: Act) => inBatches(db, aged, act, signal);
  const deleteFrom =
    (table: Aged["table"], still: RawBuilder<boolean> = sql`true`): Act =>
    async (trx, ids) => {
      const result = await trx
        .deleteFrom(table)
        .where("id", "in", ids)
        .where(still)
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    };

  // Counted from the last message of the same mailbox. Ids are given in the order of arrival.
  const lastOfMailbox = sql<boolean>`(select latest.received_at from contact_messages as latest
    where latest.mailbox_key = contact_messages.mailbox_key
    order by latest.id desc limit 1) < ${messagesBefore}`;
  const messages = await expire(
    { table: "contact_messages", column: "received_at", before: messagesBefore },
    deleteFrom("contact_messages", lastOfMailbox),
  );
  const messageAddresses = await expire(
    {
      table: "contact_messages",
      column: "received_at",
      before: addressesBefore,
      where: sql`sender_address is not null`,
    },
    async (trx, ids) => {
      const result = await trx
        .updateTable("contact_messages")
        .set({ sender_address: null })
        .where("id", "in", ids)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },
  );
  // Between the look and the deletion somebody may have signed up again or confirmed.
  const hasLeft = sql<boolean>`unsubscribed_at is not null and unsubscribed_at < ${endedBefore}`;
  const left = await expire(
    {
      table: "subscribers",
      column: "unsubscribed_at",
      before: endedBefore,
      where: sql`unsubscribed_at is not null`,
    },
    deleteFrom("subscribers", hasLeft),
  );
  const isUnconfirmed = sql<boolean>`confirmed_at is null and unsubscribed_at is null`;
  const unconfirmed = await expire(
    {
      table: "subscribers",
      column: "subscribed_at",
      before: unconfirmedBefore,
      where: isUnconfirmed,
    },
    deleteFrom(
      "subscribers",
      sql<boolean>`${isUnconfirmed} and subscribed_at < ${unconfirmedBefore}`,
    ),
  );
  const delivered = await expire(
    {
      table: "outbox",
      column: "delivered_at",
      before: deliveredBefore,
      where: sql`delivered_at is not null`,
    },
    deleteFrom("outbox"),
  );
  const isAboutMessage = sql<boolean>`kind = 'contact-email'`;
  const tooOld = await expire(
    { table: "outbox", column: "created_at", before: unconfirmedBefore },
    deleteFrom("outbox", sql<boolean>`(not ${isAboutMessage} or created_at < ${messagesBefore})`),
  );
  const erased = await expire(
    {
      table: "outbox",
      column: "erased_at",
      before: erasedBefore,
      where: sql`erased_at is not null`,
    },
    deleteFrom("outbox"),
  );
  return {
    messages,
    messageAddresses,
    subscribers: left + unconfirmed,
    deliveries: delivered + tooOld + erased,
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
