import { type Kysely, sql } from "kysely";
import type { Database } from "#db/tables.ts";
import { confirmationPauseMs, isRefusedEachTime } from "./confirmation-pause.ts";
import { addressHash } from "./privacy/erasures.ts";

/**
 * Takes back what waits to be mailed to a mailbox about a sign-up, since it isn't true any more. Whether what was tried
 * has arrived can't be known, so it counts as sent now, unless it was refused each time.
 */
export async function withdrawMail(
  trx: Kysely<Database>,
  mailbox: string,
  now: Date,
): Promise<void> {
  const taken = await trx
    .deleteFrom("outbox")
    .where("mailbox_key", "=", mailbox)
    .where("kind", "=", "confirmation-email")
    .where("delivered_at", "is", null)
    .returning(["attempts", "refusals", "next_attempt_at", "failed_at"])
    .execute();
  if (taken.length === 0) return;
  const until = Math.max(...taken.map((mail) => pauseOfTaken(mail, now)));
  await keepPause(trx, { mailbox, until: new Date(until), now });
}

/** Until when a mail that was taken back still counts, in milliseconds since 1970. */
export function pauseOfTaken(
  {
    attempts,
    refusals,
    next_attempt_at,
    failed_at,
  }: { attempts: number; refusals: number; next_attempt_at: string; failed_at: string | null },
  now: Date,
): number {
  if (isRefusedEachTime(attempts, refusals)) return now.getTime();
  if (failed_at) return Date.parse(failed_at) + confirmationPauseMs;
  return attempts > 0 ? now.getTime() + confirmationPauseMs : Date.parse(next_attempt_at);
}

/**
 * Remembers under a hash until when a mailbox gets no other mail about a sign-up, whatever becomes of its row; a later
 * moment that is remembered already stays.
 */
export async function keepPause(
  trx: Kysely<Database>,
  { mailbox, until, now }: { mailbox: string; until: Date; now: Date },
): Promise<void> {
  await trx.deleteFrom("mail_pauses").where("until", "<=", now.toISOString()).execute();
  if (until <= now) return;
  const row = { address_hash: addressHash(mailbox), until: until.toISOString() };
  await trx
    .insertInto("mail_pauses")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("address_hash").doUpdateSet({
        until: sql`case when mail_pauses.until < excluded.until then excluded.until
          else mail_pauses.until end`,
      }),
    )
    .execute();
}
