import { type Kysely, sql } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database, OutboxTable } from "../database/tables.ts";

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

type MailRow = Pick<
  OutboxTable,
  "created_at" | "delivered_at" | "failed_at" | "next_attempt_at"
> & {
  email_key: string;
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
  // Written out, since it's asked at every sign-up and building it took a fifth of the time.
  const { rows } = await sql<MailRow>`
    select s.email_key, o.created_at, o.delivered_at, o.failed_at, o.next_attempt_at
    from subscribers s join outbox o on o.delivery_id = s.confirmation_delivery_id
    where s.email_key = ${mailbox} or s.alias_of = ${mailbox}`.execute(trx);
  return rows.flatMap((row) => {
    const { created_at, delivered_at } = row;
    const waits = delivered_at === null && row.failed_at === null;
    if (!waits && created_at <= since && (delivered_at ?? "") <= since) return [];
    const mailedAt = waits
      ? Math.max(now.getTime(), Date.parse(row.next_attempt_at))
      : Date.parse(delivered_at ?? created_at);
    return { emailKey: row.email_key, pauseUntil: new Date(mailedAt + confirmationPauseMs) };
  });
}
