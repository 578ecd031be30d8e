import { type Kysely, sql } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database } from "../database/tables.ts";

/** A mailbox is sent no second confirmation mail sooner, whoever asks for it and however the address is spelled. */
export const confirmationPauseMs = 60 * 60 * 1000;

/**
 * Lets the sign-ups of one mailbox happen one after the other, for the rest of the transaction. SQLite has one writer
 * anyway.
 */
export async function lockMailbox(trx: Kysely<Database>, mailbox: string): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${mailbox}, 0))`.execute(trx);
}

export type RecentMail = {
  /** The subscriber whose confirmation mail it is. */
  emailKey: string;
  /** From when on the mailbox may be sent another one. */
  pauseUntil: Date;
};

/**
 * Confirmation mails to a mailbox that still wait to go out, or that were written or delivered within the pause. A mail
 * that waits for the mail server to come back would arrive together with a second one, so it counts however old it is.
 */
export async function findRecentMails(
  trx: Kysely<Database>,
  mailbox: string,
  now: Date,
): Promise<RecentMail[]> {
  const since = new Date(now.getTime() - confirmationPauseMs).toISOString();
  const rows = await trx
    .selectFrom("subscribers")
    .innerJoin("outbox", "outbox.delivery_id", "subscribers.confirmation_delivery_id")
    .select(["subscribers.email_key", "outbox.created_at", "outbox.delivered_at"])
    .select("outbox.next_attempt_at")
    .select((eb) =>
      eb
        .and([eb("outbox.delivered_at", "is", null), eb("outbox.failed_at", "is", null)])
        .as("is_waiting"),
    )
    .where((eb) =>
      eb.or([eb("subscribers.email_key", "=", mailbox), eb("subscribers.alias_of", "=", mailbox)]),
    )
    .where((eb) =>
      eb.or([
        eb.and([eb("outbox.delivered_at", "is", null), eb("outbox.failed_at", "is", null)]),
        eb("outbox.created_at", ">", since),
        eb("outbox.delivered_at", ">", since),
      ]),
    )
    .execute();
  return rows.map((row) => {
    const mailedAt = row.is_waiting
      ? Math.max(now.getTime(), Date.parse(row.next_attempt_at))
      : Date.parse(row.delivered_at ?? row.created_at);
    return { emailKey: row.email_key, pauseUntil: new Date(mailedAt + confirmationPauseMs) };
  });
}
