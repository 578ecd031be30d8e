import { type Kysely, type Selectable, sql } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, OutboxTable, SubscribersTable } from "#db/tables.ts";
import { addressHash } from "./erasures.ts";
import { type SubscriberState, stateOf } from "./subscriber-states.ts";

/** A mailbox gets no second mail about a sign-up sooner, whoever asks for it and however the address is spelled. */
export const confirmationPauseMs = 60 * 60 * 1000;

/** What an event needs to know of a mailbox. */
export type LoadedSubscriber = {
  mailbox: string;
  state: SubscriberState;
  row: Selectable<SubscribersTable> | null;
  /** Until when no other mail about a sign-up may go to it; null where one may at once. */
  pauseUntil: Date | null;
  /** The same without a mail that was refused at every attempt: it hasn't arrived, and one to another spelling may. */
  pauseBesideRefused: Date | null;
};

/**
 * Reads where a mailbox stands. Until the transaction ends, nobody else's event happens to it: by an advisory lock on
 * PostgreSQL, which needs no row; SQLite has one writer anyway.
 */
export async function loadSubscriber(
  trx: Kysely<Database>,
  mailbox: string,
  now: Date,
): Promise<LoadedSubscriber> {
  await lockMailboxes(trx, [mailbox]);
  const row =
    (await trx
      .selectFrom("subscribers")
      .selectAll()
      .where("mailbox_key", "=", mailbox)
      .executeTakeFirst()) ?? null;
  const mail = row?.mail_delivery_id
    ? await trx
        .selectFrom("outbox")
        .selectAll()
        .where("delivery_id", "=", row.mail_delivery_id)
        .executeTakeFirst()
    : undefined;
  const hash = addressHash(mailbox);
  const { wasErased, pausedUntil } = await trx
    .selectNoFrom((eb) => [
      eb
        .or([
          eb.exists(
            eb.selectFrom("erasures").select("address_hash").where("address_hash", "=", hash),
          ),
          eb.exists(
            eb.selectFrom("departures").select("address_hash").where("address_hash", "=", hash),
          ),
        ])
        .as("wasErased"),
      eb
        .selectFrom("mail_pauses")
        .select("until")
        .where("address_hash", "=", hash)
        .as("pausedUntil"),
    ])
    .executeTakeFirstOrThrow();
  const standing = row && {
    confirmedAt: row.confirmed_at,
    unsubscribedAt: row.unsubscribed_at,
    pendingSince: row.pending_since,
    heldAt: row.held_at,
    bouncedAt: row.bounced_at,
  };
  const remembered = pausedUntil === null ? 0 : Date.parse(pausedUntil);
  const pauseAfter = (latest: Selectable<OutboxTable> | undefined) => {
    const until = new Date(Math.max(remembered, latest ? pauseEnd(latest, now) : 0));
    return until > now ? until : null;
  };
  return {
    mailbox,
    // SQLite has 0 and 1 for booleans.
    state: stateOf(standing, Boolean(wasErased)),
    row,
    pauseUntil: pauseAfter(mail),
    pauseBesideRefused: pauseAfter(mail && isRefusedEachTime(mail) ? undefined : mail),
  };
}

/**
 * When the pause after a mail ends, in milliseconds since 1970. A mail that waits for the mail server to come back would
 * arrive together with a second one, so it counts however old it is.
 */
function pauseEnd(mail: Selectable<OutboxTable>, now: Date): number {
  const waits = mail.delivered_at === null && mail.failed_at === null;
  const mailedAt = waits
    ? Math.max(now.getTime(), Date.parse(mail.next_attempt_at))
    : Date.parse(mail.delivered_at ?? mail.failed_at ?? mail.created_at);
  return mailedAt + confirmationPauseMs;
}

/** Whether it is certain that a mail has not arrived: every attempt was answered with a refusal. */
function isRefusedEachTime({ attempts, refusals }: { attempts: number; refusals: number }) {
  return attempts > 0 && refusals === attempts;
}

/** In one order everywhere, so that those who lock several wait for one another and never in a circle. */
export async function lockMailboxes(
  trx: Kysely<Database>,
  mailboxes: readonly string[],
): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(mailbox, 0) as key
    from unnest(${mailboxes}::text[]) as mailbox order by key
  ) as keys`.execute(trx);
}

/**
 * Takes back what waits to be mailed to a mailbox about a sign-up, since it isn't true any more. Whether an attempt has
 * arrived can't be known, so it counts as sent now, unless each was refused.
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
  const until = taken.map((mail) => {
    if (isRefusedEachTime(mail)) return now.getTime();
    if (mail.failed_at) return Date.parse(mail.failed_at) + confirmationPauseMs;
    return mail.attempts > 0
      ? now.getTime() + confirmationPauseMs
      : Date.parse(mail.next_attempt_at);
  });
  if (until.length > 0) {
    await rememberPause(trx, { mailbox, until: new Date(Math.max(...until)), now });
  }
}

/**
 * Remembers under a hash until when a mailbox gets no other mail about a sign-up, whatever becomes of its row. A later
 * moment that is stored already stays.
 */
export async function rememberPause(
  trx: Kysely<Database>,
  { mailbox, until, now }: { mailbox: string; until: Date; now: Date },
): Promise<void> {
  await trx.deleteFrom("mail_pauses").where("until", "<=", now.toISOString()).execute();
  if (until <= now) return;
  await trx
    .insertInto("mail_pauses")
    .values({ address_hash: addressHash(mailbox), until: until.toISOString() })
    .onConflict((conflict) =>
      conflict.column("address_hash").doUpdateSet({
        until: sql`case when mail_pauses.until < excluded.until then excluded.until
          else mail_pauses.until end`,
      }),
    )
    .execute();
}
