import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { addressHash } from "../privacy/erasures.ts";
import { confirmationPauseMs } from "./confirmation-pause.ts";

/**
 * Takes back what waits to be mailed to a mailbox about a sign-up, since it isn't true any more. Whether what was tried
 * has arrived can't be known, so it counts as sent now.
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
    .returning(["attempts", "next_attempt_at", "failed_at"])
    .execute();
  if (taken.length === 0) return;
  const until = taken.map(({ attempts, next_attempt_at, failed_at }) => {
    if (failed_at) return Date.parse(failed_at) + confirmationPauseMs;
    return attempts > 0 ? now.getTime() + confirmationPauseMs : Date.parse(next_attempt_at);
  });
  await keepPause(trx, { mailbox, until: new Date(Math.max(...until)), now });
}

/** Remembers under a hash until when a mailbox gets no other mail about a sign-up, whatever becomes of its row. */
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
    .onConflict((conflict) => conflict.column("address_hash").doUpdateSet({ until: row.until }))
    .execute();
}
