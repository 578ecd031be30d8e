import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { pauseAfter } from "../confirmation-pause.ts";
import { keepPause, pauseOfTaken } from "../withdraw-mail.ts";

/**
 * Takes back a reader's wish for another address, if there is one, with the mail that has not gone out. The mailbox that
 * it was mailed to keeps its pause.
 */
export async function withdrawAddressChange(
  trx: Kysely<Database>,
  fromMailbox: string,
  now: Date,
): Promise<void> {
  const change = await trx
    .deleteFrom("address_changes")
    .where("from_mailbox", "=", fromMailbox)
    .returning(["to_mailbox", "mail_delivery_id"])
    .executeTakeFirst();
  if (!change) return;
  const until = await takeMailBack(trx, change.mail_delivery_id, now);
  await keepPause(trx, { mailbox: change.to_mailbox, until, now });
}

/**
 * Takes back every wish for a mailbox whose owner has asked for an erasure, whoever's it is; answers how many. The mails
 * go with everything else that is about the mailbox, which keeps its pause.
 */
export async function withdrawAddressChangesTo(
  trx: Kysely<Database>,
  { mailbox, until, now }: { mailbox: string; until: string; now: Date },
): Promise<number> {
  const changes = await trx
    .selectFrom("address_changes")
    .select("from_mailbox")
    .where("to_mailbox", "=", mailbox)
    .where("asked_at", "<=", until)
    .execute();
  for (const { from_mailbox } of changes) await withdrawAddressChange(trx, from_mailbox, now);
  return changes.length;
}

/**
 * Takes back the wishes for a mailbox whose mail has not arrived, because another mail to it is being written: of all
 * that is asked of a mailbox one mail waits at most, or two would arrive together after an outage.
 */
export async function withdrawUnsentChangesTo(
  trx: Kysely<Database>,
  mailbox: string,
  now: Date,
): Promise<void> {
  const changes = await trx
    .selectFrom("address_changes")
    .innerJoin("outbox", "outbox.delivery_id", "address_changes.mail_delivery_id")
    .select("from_mailbox")
    .where("to_mailbox", "=", mailbox)
    .where("delivered_at", "is", null)
    .execute();
  for (const { from_mailbox } of changes) await withdrawAddressChange(trx, from_mailbox, now);
}

/** Answers until when the mail counts. */
async function takeMailBack(trx: Kysely<Database>, deliveryId: string, now: Date): Promise<Date> {
  const mail = await trx
    .selectFrom("outbox")
    .select(["created_at", "attempts", "refusals", "next_attempt_at", "delivered_at", "failed_at"])
    .where("delivery_id", "=", deliveryId)
    .executeTakeFirst();
  if (!mail) return now;
  if (mail.delivered_at !== null) return pauseAfter(mail, now) ?? now;
  await trx.deleteFrom("outbox").where("delivery_id", "=", deliveryId).execute();
  return new Date(pauseOfTaken(mail, now));
}
