import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { retention } from "#content/retention.ts";
import type { Database } from "#db/tables.ts";
import { deleteMailFiles, mailFilesBefore } from "#mail/mail-files.ts";

type Deleted = {
  messages: number;
  messageAddresses: number;
  subscribers: number;
  deliveries: number;
  visits: number;
};

/**
 * Deletes what the privacy policy promises to delete, in small batches with a transaction each. Undelivered jobs stay
 * longer than delivered ones, but no longer than the message or sign-up they are about. Stops between two batches when
 * the signal aborts.
 */
export async function deleteExpired(
  db: Kysely<Database>,
  now: Date,
  signal?: AbortSignal,
): Promise<Deleted> {
  const messagesBefore = yearsBefore(now, retention.contactMessageYears);
  const unconfirmedBefore = yearsBefore(now, retention.unconfirmedSignUpYears);

  const expire = (aged: Aged, act: Act) => inBatches(db, aged, act, signal);
  const remove = (aged: Aged, still = sql<boolean>`true`) =>
    expire(aged, async (trx, ids) => {
      const { table, column, before, where = sql<boolean>`true` } = aged;
      // The conditions again: somebody may have signed up or confirmed since the batch was read.
      const removed = await trx
        .deleteFrom(table)
        .where("id", "in", ids)
        .where(where)
        .where(still)
        .where(sql<boolean>`${sql.ref(column)} < ${before}`)
        .executeTakeFirst();
      return Number(removed.numDeletedRows);
    });

  const messages = await remove(
    { table: "contact_messages", column: "received_at", before: messagesBefore },
    // Counted from the mailbox's last message.
    sql`(select max(latest.received_at) from contact_messages as latest
      where latest.mailbox_key = contact_messages.mailbox_key) < ${messagesBefore}`,
  );
  const messageAddresses = await expire(
    {
      table: "contact_messages",
      column: "received_at",
      before: daysBefore(now, retention.contactAddressDays),
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
  const oldVisits = await db
    .deleteFrom("daily_visits")
    .where("day", "<", yearsBefore(now, retention.visitYears).slice(0, 10))
    .executeTakeFirst();
  return {
    messages,
    messageAddresses,
    subscribers: left + unconfirmed,
    deliveries: delivered + tooOld + erased,
    visits: Number(oldVisits.numDeletedRows),
  };
}

/** Deletes mail files as old as delivered jobs. Returns how many. */
export async function deleteExpiredMailFiles(dataDir: string, now: Date): Promise<number> {
  const names = await mailFilesBefore(dataDir, daysBefore(now, retention.deliveryDays));
  await deleteMailFiles(dataDir, names);
  return names.length;
}

/** Small, since SQLite blocks the process meanwhile. */
const batchRows = 200;
/** Lets other writes in between. */
const pauseMs = 10;

/** Rows older than a moment by a column, which has an index with that condition. */
type Aged = {
  table: "contact_messages" | "subscribers" | "outbox";
  column:
    | "received_at"
    | "unsubscribed_at"
    | "subscribed_at"
    | "created_at"
    | "delivered_at"
    | "erased_at";
  /** ISO 8601. */
  before: string;
  where?: RawBuilder<boolean>;
};

/** Changes the rows that are still due, and returns how many. */
type Act = (trx: Transaction<Database>, ids: number[]) => Promise<number>;

/** Visits aged rows once, oldest first. Returns how many were changed. */
async function inBatches(
  db: Kysely<Database>,
  { table, column, before, where = sql`true` }: Aged,
  act: Act,
  signal?: AbortSignal,
): Promise<number> {
  const time = sql.ref(column);
  let changed = 0;
  let last = { at: "", id: 0 };
  while (!signal?.aborted) {
    const { rows } = await sql<{ id: number; at: string }>`
      select id, ${time} as at from ${sql.table(table)}
      where ${where} and ${time} < ${before} and (${time}, id) > (${last.at}, ${last.id})
      order by ${time}, id limit ${batchRows}`.execute(db);
    const end = rows.at(-1);
    if (!end) break;
    last = end;
    const ids = rows.map(({ id }) => id);
    changed += await db.transaction().execute((trx) => act(trx, ids));
    if (rows.length < batchRows) break;
    await delay(pauseMs);
  }
  return changed;
}

function yearsBefore(now: Date, years: number): string {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() - years);
  return then.toISOString();
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}

const lastSeen = "clock last seen";
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Whether to delete by this clock: a machine that starts years ahead would delete too much. After a jump by more than a
 * day back or a month ahead, the next call trusts the new time.
 */
export async function isClockTrusted(db: Kysely<Database>, now: Date): Promise<boolean> {
  const mark = await db
    .selectFrom("marks")
    .select("set_at")
    .where("name", "=", lastSeen)
    .executeTakeFirst();
  const set_at = now.toISOString();
  await db
    .insertInto("marks")
    .values({ name: lastSeen, set_at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ set_at }))
    .execute();
  const sinceLast = mark ? now.getTime() - Date.parse(mark.set_at) : 0;
  return sinceLast >= -dayMs && sinceLast <= 30 * dayMs;
}
