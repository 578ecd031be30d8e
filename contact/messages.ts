import { hash } from "node:crypto";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type ContactMessage, contactFields } from "#content/contact-message.ts";
import { pageName, sitePages } from "#content/site-pages.ts";
import { foldText } from "#content/text.ts";
import { monthDay } from "#content/toronto-time.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Db, QuarantineReason } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { enqueue, noteQuarantined } from "#mail/outbox-jobs.ts";
import { type Export, holdsText, inPages } from "#newsletter/records.ts";

type SubmitMessageDeps = {
  db: Db;
  /** Wakes the outbox after a commit. */
  wakeOutbox: () => void;
  clock?: () => Date;
};

type SubmissionOrigin = {
  idempotencyKey: string | null;
  clientAddress: string | null;
  requestId?: string | null;
  suspicion?: QuarantineReason | null;
  /** Faster than a person could; the mail says so. */
  isQuick?: boolean;
  fromPage?: string | undefined;
  fromIssue?: number;
};

/** Covers retries from a page made anew, but no later reminder. */
const sameWordsMs = 60 * 60_000;

/** Stores a message and its mail. The same words count once under one idempotency key, once an hour under any. */
export async function submitMessage(
  { db, wakeOutbox, clock = () => new Date() }: SubmitMessageDeps,
  message: ContactMessage,
  origin: SubmissionOrigin,
): Promise<{ ok: true; repeated: boolean }> {
  const { idempotencyKey, clientAddress, requestId, suspicion = null, isQuick } = origin;
  const now = clock();
  const receivedAt = now.toISOString();
  const repeated = await db.transaction().execute(async (trx) => {
    if (idempotencyKey !== null && isPostgres(trx)) {
      // A form may be posted by its page and its script at once. SQLite has one writer.
      const words = submissionKey("", message);
      await sql`select pg_advisory_xact_lock(hashtextextended(${words}, 0))`.execute(trx);
    }
    if (await isRepeat({ db: trx, clock }, message, idempotencyKey)) return true;
    const { id: messageId } = await trx
      .insertInto("contact_messages")
      .values({
        ...columnsOf(message),
        mailbox_key: mailboxKey(message.email),
        submission_key: idempotencyKey === null ? null : submissionKey(idempotencyKey, message),
        search_text: searchTextOf(columnsOf(message)),
        from_page: origin.fromPage ?? null,
        from_issue: origin.fromIssue || null,
        sender_address: clientAddress?.slice(0, 100) ?? null,
        received_at: receivedAt,
        held_at: suspicion && receivedAt,
        held_reason: suspicion,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (suspicion) {
      await noteQuarantined(trx, now);
    } else {
      const payload = { ...message, ...(isQuick ? { isQuick } : {}), receivedAt, messageId };
      await enqueue(trx, { kind: "contact-email", payload, now, requestId });
    }
    return false;
  });
  wakeOutbox();
  return { ok: true, repeated };
}

export async function isRepeat(
  { db, clock = () => new Date() }: Pick<SubmitMessageDeps, "db" | "clock">,
  message: ContactMessage,
  idempotencyKey: string | null,
): Promise<boolean> {
  if (idempotencyKey === null) return false;
  const since = new Date(clock().getTime() - sameWordsMs).toISOString();
  const known = await db
    .selectFrom("contact_messages")
    .select("id")
    .where(({ eb, and, or }) =>
      or([
        eb("submission_key", "=", submissionKey(idempotencyKey, message)),
        and([
          and({ ...columnsOf(message), mailbox_key: mailboxKey(message.email) }),
          eb("submission_key", "is not", null),
          eb("received_at", ">", since),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return known !== undefined;
}

function columnsOf(given: ContactMessage) {
  const { firstName, lastName, email, company, phone, subject, message } = given;
  return { first_name: firstName, last_name: lastName, email, company, phone, subject, message };
}

const searched = ["first_name", "last_name", "email", "company", "phone", "message"] as const;

export function searchTextOf(message: Record<(typeof searched)[number], string>): string {
  return foldText(searched.map((name) => message[name]).join(" "));
}

/** Edited words are a new message. */
function submissionKey(idempotencyKey: string, message: ContactMessage): string {
  const parts = [idempotencyKey, ...contactFields.map((field) => message[field])];
  return hash("sha256", JSON.stringify(parts));
}

const mailedColumns = [
  "first_name as firstName",
  "last_name as lastName",
  "email",
  "company",
  "phone",
  "subject",
  "message",
  "received_at as receivedAt",
] as const;

/** Releases a quarantined message and its mail. */
export async function releaseMessage(
  { db, now }: { db: Db; now: Date },
  { id }: { id: number },
): Promise<{ ok: true } | { ok: false; problem: string }> {
  return await db.transaction().execute(async (trx) => {
    const released = await trx
      .updateTable("contact_messages")
      .set({ held_at: null, released_at: now.toISOString() })
      .where("id", "=", id)
      .where("held_at", "is not", null)
      .returning(["id as messageId", ...mailedColumns])
      .executeTakeFirst();
    if (!released) return { ok: false, problem: "This message is no longer held as spam." };
    await enqueue(trx, { kind: "contact-email", payload: released, now });
    return { ok: true };
  });
}

const exportedColumns = [
  "id",
  "received_at",
  "first_name",
  "last_name",
  "email",
  "company",
  "phone",
  "subject",
  "message",
  "sender_address",
  "held_at",
  "held_reason",
  "released_at",
] as const;

export function exportMessages(db: Db): Export {
  const page = async (limit: number, before = Number.MAX_SAFE_INTEGER) =>
    await db
      .selectFrom("contact_messages")
      .select(exportedColumns)
      .where("id", "<", before)
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  return { columns: [...exportedColumns], records: inPages(page) };
}

export const inboxViews = ["all", "new", "later", "answered", "held"] as const;

export type InboxView = (typeof inboxViews)[number];

/** `today`: Toronto's day, when messages left for it are new again. */
function conditionOf(view: InboxView, today: string): RawBuilder<SqlBool> {
  const isOpen = sql`held_at is null and answered_at is null`;
  return {
    all: sql<SqlBool>`true`,
    new: sql<SqlBool>`${isOpen} and (later_until is null or later_until <= ${today})`,
    later: sql<SqlBool>`${isOpen} and later_until > ${today}`,
    answered: sql<SqlBool>`held_at is null and answered_at is not null`,
    held: sql<SqlBool>`held_at is not null`,
  }[view];
}

export async function countInbox(db: Db, today: string): Promise<Record<InboxView, number>> {
  const counts = inboxViews.map(
    (view) => sql`count(*) filter (where ${conditionOf(view, today)}) as ${sql.ref(view)}`,
  );
  type Counts = Record<InboxView, number>;
  const counted = await sql<Counts>`select ${sql.join(counts)} from contact_messages`.execute(db);
  return counted.rows[0] as Counts;
}

const inboxColumns = [
  "id",
  "first_name as firstName",
  "last_name as lastName",
  "email",
  "subject",
  "received_at as receivedAt",
  "held_at as heldAt",
  "answered_at as answeredAt",
  "later_until as laterUntil",
] as const;

export type InboxRow = Awaited<ReturnType<typeof listInbox>>[number];

/** `new`, `later, Dec 3`, `answered`. */
export function inboxState(
  { heldAt, answeredAt, laterUntil }: Pick<InboxRow, "heldAt" | "answeredAt" | "laterUntil">,
  today: string,
): string {
  if (heldAt) return "may be spam";
  if (answeredAt) return "answered";
  if (laterUntil === null) return "new";
  return laterUntil > today ? `later, ${monthDay(laterUntil)}` : "back again";
}

/** Newest first, with beginnings alone. `beforeId` continues after a page's last id. */
export async function listInbox(
  db: Db,
  {
    view = "all",
    today,
    find = "",
    limit,
    beforeId,
  }: { view?: InboxView; today: string; find?: string; limit: number; beforeId?: number },
) {
  let query = db
    .selectFrom("contact_messages")
    .select([...inboxColumns, sql<string>`substr(message, 1, 160)`.as("beginning")])
    .where(conditionOf(view, today))
    .where(holdsText(db, find));
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return await query.orderBy("id", "desc").limit(limit).execute();
}

export async function openMessage(db: Db, id: number) {
  return await db
    .selectFrom("contact_messages")
    .select([...inboxColumns, "company", "phone", "message", "from_page as fromPage"])
    .where("id", "=", id)
    .executeTakeFirst();
}

const pageNames = new Map<unknown, string>(
  sitePages.map((page) => [page.head.path, pageName(page)]),
);

/** By the pages' names, or their paths where they have none now. Null stands for unknown pages. */
export async function countOrigins(db: Db, { since }: { since: Date }) {
  const origins = await db
    .selectFrom("contact_messages")
    .select(["from_page as page", ({ fn }) => fn.countAll<number>().as("count")])
    .where("received_at", ">=", since.toISOString())
    .where("held_at", "is", null)
    .groupBy("from_page")
    .orderBy("count", "desc")
    .orderBy("from_page")
    .limit(5)
    .execute();
  return origins.map(({ page, count }) => ({ page: pageNames.get(page) ?? page, count }));
}

/** Notes that it was answered, or with null that it is new again, or the day until which it is left. */
export async function markMessage(
  db: Db,
  id: number,
  mark: { answered_at: string | null } | { later_until: string },
): Promise<void> {
  await db.updateTable("contact_messages").set(mark).where("id", "=", id).execute();
}

/** A waiting mail about it still goes. */
export async function eraseMessage(db: Db, id: number): Promise<void> {
  await db.deleteFrom("contact_messages").where("id", "=", id).execute();
}

/** Erases what may be spam, as far as somebody has seen it. Returns how many. */
export async function eraseHeldMessages(db: Db, { upToId }: { upToId: number }): Promise<number> {
  const seen = db.deleteFrom("contact_messages").where("id", "<=", upToId);
  const held = seen.where("held_at", "is not", null);
  return Number((await held.executeTakeFirst()).numDeletedRows);
}

/** Windows opens no longer address (2,083 characters). */
const mailtoMaxLength = 2_000;

export function replyAddress(
  { email, firstName, lastName, message }: NonNullable<Awaited<ReturnType<typeof openMessage>>>,
  label: string | undefined,
  firm: string,
): string {
  const subject = label ? `Re: ${label} (${firm})` : `Re: your message to ${firm}`;
  const quoted = message.replaceAll("\n", "\n> ");
  const to = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=`;
  let body = `Hello ${firstName},\n\n\n\n${firstName} ${lastName} wrote:\n> ${quoted}\n`;
  const address = () => to + encodeURIComponent(body.toWellFormed());
  while (address().length > mailtoMaxLength) body = body.slice(0, -20);
  return address();
}
