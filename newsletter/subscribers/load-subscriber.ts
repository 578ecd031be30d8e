import { createHash, randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { subscriberStateOf } from "./subscriber-states.ts";

const confirmationPauseMs = 60 * 60 * 1000;

export type LoadedSubscriber = Awaited<ReturnType<typeof loadSubscriber>>;

/** Reads and locks a mailbox's state, by an advisory lock on PostgreSQL, which needs no row. */
export async function loadSubscriber(trx: Db, mailbox: string, now: Date) {
  await lockMailbox(trx, mailbox);
  return await readSubscriber(trx, mailbox, now);
}

export async function lockMailbox(trx: Db, mailbox: string): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select pg_advisory_xact_lock_shared(${allMailboxes}),
    pg_advisory_xact_lock(hashtextextended(${mailbox}, 0))`.execute(trx);
}

const allMailboxes = sql`hashtextextended('all mailboxes', 0)`;

/** Locks every mailbox: PostgreSQL hasn't room for as many locks as a list has lines. */
export async function lockAllMailboxes(trx: Db): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${allMailboxes})`.execute(trx);
}

export async function readSubscriber(trx: Db, mailbox: string, now: Date) {
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
  const pause = await trx
    .selectFrom("mail_pauses")
    .select("until")
    .where("address_hash", "=", addressHash(mailbox))
    .executeTakeFirst();
  const wasErased = (await erasedAmong(trx, [mailbox])).size > 0;
  const remembered = pause ? Date.parse(pause.until) : 0;
  const pauseAfter = (latest: Selectable<Database["outbox"]> | undefined) => {
    const until = new Date(Math.max(remembered, latest ? pauseEnd(latest, now) : 0));
    return until > now ? until : null;
  };
  return {
    mailbox,
    state: subscriberStateOf(row, wasErased),
    row,
    pauseUntil: pauseAfter(mail),
    /** Ignores a mail to another spelling that was refused each time. */
    pauseBesideRefused: pauseAfter(mail && isRefusedEachTime(mail) ? undefined : mail),
  };
}

/** The end of the pause in ms since 1970. A waiting mail counts however old it is. */
function pauseEnd(mail: Selectable<Database["outbox"]>, now: Date): number {
  const waits = mail.delivered_at === null && mail.failed_at === null;
  const mailedAt = waits
    ? Math.max(now.getTime(), Date.parse(mail.next_attempt_at))
    : Date.parse(mail.delivered_at ?? mail.failed_at ?? mail.created_at);
  return mailedAt + confirmationPauseMs;
}

function isRefusedEachTime({ attempts, refusals }: { attempts: number; refusals: number }) {
  return attempts > 0 && refusals === attempts;
}

/** Deletes the waiting mails. One that was tried may have arrived, so it starts the pause. */
export async function withdrawMail(trx: Db, mailbox: string, now: Date): Promise<void> {
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

/** Stores the pause under a hash, which outlives the row. */
export async function rememberPause(
  trx: Db,
  { mailbox, until, now }: { mailbox: string; until: Date; now: Date },
): Promise<void> {
  await trx.deleteFrom("mail_pauses").where("until", "<=", now.toISOString()).execute();
  if (until <= now) return;
  await sql`
    insert into mail_pauses (address_hash, until)
    values (${addressHash(mailbox)}, ${until.toISOString()})
    on conflict (address_hash) do update set until = excluded.until
    where mail_pauses.until < excluded.until`.execute(trx);
}

export function addressHash(email: string): string {
  return createHash("sha256")
    .update(`erased mailbox ${mailboxKey(email)}`)
    .digest("hex");
}

export async function recordErasure(
  trx: Db,
  { address_hash, erased_at }: { address_hash: string; erased_at: string },
): Promise<void> {
  await sql`insert into erasures (address_hash, erased_at) values (${address_hash}, ${erased_at})
    on conflict (address_hash) do update set erased_at = excluded.erased_at`.execute(trx);
}

export async function recordDeparture(
  trx: Db,
  { mailbox, leftAt }: { mailbox: string; leftAt: string },
): Promise<void> {
  await sql`insert into departures (address_hash, left_at) values (${addressHash(mailbox)}, ${leftAt})
    on conflict (address_hash) do update set left_at = excluded.left_at`.execute(trx);
}

export async function liftErasure(trx: Db, mailbox: string): Promise<void> {
  for (const table of ["erasures", "departures"] as const) {
    await trx.deleteFrom(table).where("address_hash", "=", addressHash(mailbox)).execute();
  }
}

/** Addresses that were erased, or left and expired, and haven't come back. */
export async function erasedAmong(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const emailOf = new Map(emails.map((email) => [addressHash(email), email]));
  const among = (table: "erasures" | "departures") =>
    db
      .selectFrom(table)
      .select("address_hash")
      .where("address_hash", "in", [...emailOf.keys()]);
  const rows = await among("erasures").union(among("departures")).execute();
  return new Set(rows.flatMap(({ address_hash }) => emailOf.get(address_hash) ?? []));
}

/** A secret for mailed links: 256 random bits as 43 characters. */
export function newSubscriberToken(): string {
  return randomBytes(32).toString("base64url");
}

function isSubscriberToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export async function findMailboxOfToken(db: Db, token: string): Promise<string | null> {
  if (!isSubscriberToken(token)) return null;
  const { rows } = await sql<{ mailbox: string }>`
    select mailbox_key as mailbox from subscribers where token = ${token} or confirm_token = ${token}
    union select mailbox_key from former_tokens where token = ${token}`.execute(db);
  return rows[0]?.mailbox ?? null;
}
