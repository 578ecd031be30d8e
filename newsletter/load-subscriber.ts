import { type Kysely, type Selectable, sql } from "kysely";
import { isPostgres } from "#db/is-postgres.ts";
import { byNameIn } from "#db/named-statements.ts";
import type { Database, SubscribersTable } from "#db/tables.ts";
import { isRefusedEachTime, type LatestMail, pauseAfter } from "./confirmation-pause.ts";
import { addressHashes } from "./privacy/erasures.ts";
import { type SubscriberState, stateOf } from "./subscriber-states.ts";

/** What an event needs to know of a mailbox; the row is null where there is none. */
export type LoadedSubscriber = {
  mailbox: string;
  state: SubscriberState;
  row: SubscriberRow | null;
  /** Until when no other mail about a sign-up may go to it; null where one may at once. */
  pauseUntil: Date | null;
  /** The same without mails that have been refused each time: they haven't arrived, and another spelling's may. */
  pauseBesideRefused: Date | null;
  /** Whether its owner has been asked to confirm a reader's change of address to it. */
  isMoveAsked: boolean;
};

export type SubscriberRow = Pick<
  Selectable<SubscribersTable>,
  | "id"
  | "email"
  | "token"
  | "confirm_token"
  | "subscribed_at"
  | "confirmed_at"
  | "unsubscribed_at"
  | "pending_email"
  | "pending_since"
  | "held_at"
  | "webhook_told_at"
  | "bounced_at"
>;

type Loaded = { mailbox: string } & {
  [Column in keyof SubscriberRow]: SubscriberRow[Column] | null;
} & {
  mail_created_at: string | null;
  mail_next_attempt_at: string;
  mail_delivered_at: string | null;
  mail_failed_at: string | null;
  mail_attempts: number | null;
  mail_refusals: number | null;
  change_created_at: string | null;
  change_next_attempt_at: string;
  change_delivered_at: string | null;
  change_failed_at: string | null;
  change_attempts: number | null;
  change_refusals: number | null;
  was_erased: number | null;
  paused_until: string | null;
};

/**
 * Reads where a mailbox stands, and lets its events happen one after the other for the rest of the transaction: by a
 * lock on PostgreSQL, whether there is a row or not; SQLite has one writer anyway.
 */
export async function loadSubscriber(
  trx: Kysely<Database>,
  mailbox: string,
  now: Date,
): Promise<LoadedSubscriber> {
  await lockMailboxes(trx, [mailbox]);
  const [loaded] = await loadLocked(trx, [{ mailbox, now }]);
  if (!loaded) throw new Error("A query for one row has answered none.");
  return loaded;
}

/** Reads where mailboxes stand whose locks the transaction holds, each once, in one statement. */
export async function loadLocked(
  trx: Kysely<Database>,
  asked: readonly { mailbox: string; now: Date }[],
): Promise<LoadedSubscriber[]> {
  const hashes = asked.map(({ mailbox }) => [mailbox, ...addressHashes(mailbox)]);
  // Written out: it is asked at every sign-up, and building it took a fifth of the time. One parameter, so that it is the
  // same statement for any number of mailboxes.
  const { rows } = await sql<Loaded>`${byNameIn(trx)}
    with asked as materialized (
      select value ->> 0 as mailbox, value ->> 1 as hash, value ->> 2 as readable_hash
      from ${eachOf(trx, JSON.stringify(hashes))}
    )
    select asked.mailbox,
      s.id, s.email, s.token, s.confirm_token, s.subscribed_at, s.confirmed_at, s.unsubscribed_at,
      s.pending_email, s.pending_since, s.held_at, s.webhook_told_at, s.bounced_at,
      o.created_at as mail_created_at, o.next_attempt_at as mail_next_attempt_at,
      o.delivered_at as mail_delivered_at, o.failed_at as mail_failed_at,
      o.attempts as mail_attempts, o.refusals as mail_refusals,
      c.created_at as change_created_at, c.next_attempt_at as change_next_attempt_at,
      c.delivered_at as change_delivered_at, c.failed_at as change_failed_at,
      c.attempts as change_attempts, c.refusals as change_refusals,
      coalesce(
        (select 1 from erasures where address_hash in (asked.hash, asked.readable_hash) limit 1),
        (select 1 from departures where address_hash in (asked.hash, asked.readable_hash) limit 1)
      ) as was_erased,
      (select until from mail_pauses where address_hash = asked.hash) as paused_until
    from asked ${isPostgres(trx) ? eachByIndex : joined}`.execute(trx);
  const rowOf = new Map(rows.map((row) => [row.mailbox, row]));
  return asked.map(({ mailbox, now }) => {
    const loaded = rowOf.get(mailbox);
    if (!loaded) throw new Error("A query for each mailbox has left one out.");
    return standingOf(loaded, now);
  });
}

function eachOf(trx: Kysely<Database>, json: string) {
  return isPostgres(trx) ? sql`json_array_elements(${json}::json)` : sql`json_each(${json})`;
}

const joined = sql`
  left join subscribers s on s.mailbox_key = asked.mailbox
  left join outbox o on o.delivery_id = s.mail_delivery_id
  left join outbox c on c.delivery_id = (select mail_delivery_id from address_changes
    where to_mailbox = asked.mailbox order by mail_at desc limit 1)`;

/** The same for many: a plain join reads the whole tables where their sizes are not known yet. */
const eachByIndex = sql`
  left join lateral (select * from subscribers where mailbox_key = asked.mailbox limit 1) s on true
  left join lateral (
    select created_at, next_attempt_at, delivered_at, failed_at, attempts, refusals from outbox
    where delivery_id = s.mail_delivery_id limit 1
  ) o on true
  left join lateral (
    select created_at, next_attempt_at, delivered_at, failed_at, attempts, refusals from outbox
    where delivery_id = (select mail_delivery_id from address_changes
      where to_mailbox = asked.mailbox order by mail_at desc limit 1) limit 1
  ) c on true`;

function standingOf(loaded: Loaded, now: Date): LoadedSubscriber {
  const row = loaded.id === null ? null : (loaded as SubscriberRow);
  const standing = row && {
    confirmedAt: row.confirmed_at,
    unsubscribedAt: row.unsubscribed_at,
    pendingSince: row.pending_since,
    heldAt: row.held_at,
    bouncedAt: row.bounced_at,
  };
  const besideRefused = { ...loaded };
  if (isRefusedEachTime(loaded.mail_attempts, loaded.mail_refusals)) {
    besideRefused.mail_created_at = null;
  }
  if (isRefusedEachTime(loaded.change_attempts, loaded.change_refusals)) {
    besideRefused.change_created_at = null;
  }
  return {
    mailbox: loaded.mailbox,
    state: stateOf(standing, loaded.was_erased !== null),
    row,
    pauseUntil: pauseOf(loaded, now),
    pauseBesideRefused: pauseOf(besideRefused, now),
    isMoveAsked: loaded.change_created_at !== null,
  };
}

/**
 * After the latest mail about a sign-up, the latest that asks to confirm a change to this mailbox, or what is remembered.
 */
function pauseOf(loaded: Loaded, now: Date): Date | null {
  const after = (about: "mail" | "change") => {
    const mail = mailOf(loaded, about);
    return (mail && pauseAfter(mail, now))?.getTime() ?? 0;
  };
  const kept = loaded.paused_until === null ? 0 : Date.parse(loaded.paused_until);
  const latest = new Date(Math.max(after("mail"), after("change"), kept));
  return latest > now ? latest : null;
}

function mailOf(loaded: Loaded, about: "mail" | "change"): LatestMail | null {
  const created_at = loaded[`${about}_created_at`];
  if (created_at === null) return null;
  return {
    created_at,
    next_attempt_at: loaded[`${about}_next_attempt_at`],
    delivered_at: loaded[`${about}_delivered_at`],
    failed_at: loaded[`${about}_failed_at`],
  };
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
 * Locks those that nobody else holds, without waiting, and answers which. On SQLite all are the one writer's. What the
 * transaction goes on to read and to refer to, it finds by index, and the first plan is kept: such a one was perhaps made
 * when the tables were small, and would read them whole as they grow.
 */
export async function lockFreeMailboxes(
  trx: Kysely<Database>,
  mailboxes: readonly string[],
): Promise<Set<string>> {
  if (!isPostgres(trx)) return new Set(mailboxes);
  const { rows } = await sql<{ mailbox: string }>`${byNameIn(trx)}select mailbox
    from unnest(${mailboxes}::text[]) as mailbox,
      set_config('enable_seqscan', 'off', true) as by_index,
      set_config('plan_cache_mode', 'force_generic_plan', true) as kept
    where pg_try_advisory_xact_lock(hashtextextended(mailbox, 0))`.execute(trx);
  return new Set(rows.map(({ mailbox }) => mailbox));
}
