import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type ContactMessage, contactFields } from "#content/contact-message.ts";
import { isPostgres } from "#db/database-handle.ts";
import { searchTextOf } from "#db/hold-text.ts";
import type { Db, QuarantineReason } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { enqueue, noteQuarantined } from "#mail/outbox-jobs.ts";

const addressMaxLength = 100;

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
  fromPage?: string;
};

/** Covers retries from a page made anew, but no later reminder. */
const sameWordsMs = 60 * 60_000;

/**
 * Stores a message and its mail in one transaction. The same words count once under one idempotency
 * key, and once an hour under any. `repeated`: nothing was added.
 */
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
        sender_address: clientAddress?.slice(0, addressMaxLength) ?? null,
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

function columnsOf({
  firstName,
  lastName,
  email,
  company,
  phone,
  subject,
  message,
}: ContactMessage) {
  return { first_name: firstName, last_name: lastName, email, company, phone, subject, message };
}

/** Edited words are a new message. */
function submissionKey(idempotencyKey: string, message: ContactMessage): string {
  const parts = [idempotencyKey, ...contactFields.map((field) => message[field])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

export type ContactListing = Awaited<ReturnType<typeof listMessages>>[number];

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

const listedColumns = [
  "id",
  ...mailedColumns,
  "sender_address as senderAddress",
  "held_at as heldAt",
  "held_reason as heldReason",
  "released_at as releasedAt",
] as const;

/** Newest first. `beforeId` continues after a page's last id. */
export async function listMessages(
  db: Db,
  { limit = 100, beforeId }: { limit?: number; beforeId?: number } = {},
) {
  let query = db.selectFrom("contact_messages").select(listedColumns);
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return await query.orderBy("id", "desc").limit(limit).execute();
}

/** Releases a quarantined message and its mail; false where it isn't quarantined. */
export async function releaseMessage(
  { db, now }: { db: Db; now: Date },
  { id }: { id: number },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const released = await trx
      .updateTable("contact_messages")
      .set({ held_at: null, released_at: now.toISOString() })
      .where("id", "=", id)
      .where("held_at", "is not", null)
      .returning(["id as messageId", ...mailedColumns])
      .executeTakeFirst();
    if (!released) return false;
    await enqueue(trx, { kind: "contact-email", payload: released, now });
    return true;
  });
}
