import { createHash } from "node:crypto";
import { type ExpressionBuilder, sql } from "kysely";
import { type ContactMessage, contactFields } from "#contracts/contact-message.ts";
import type { CountEvent } from "#contracts/ports.ts";
import { holdsText } from "#db/hold-text.ts";
import type { Database, Db, QuarantineReason } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { noteQuarantined } from "#mail/quarantine-note.ts";

const addressMaxLength = 100;

type SubmitMessageDeps = {
  db: Db;
  /** Wakes the outbox worker after a commit; the worker also looks by itself. */
  wakeOutbox: () => void;
  countEvent?: CountEvent;
  clock?: () => Date;
};

type SubmissionOrigin = {
  idempotencyKey: string | null;
  clientAddress: string | null;
  requestId?: string | null;
  /** Set if it looks like spam: it is quarantined. */
  suspicion?: QuarantineReason | null;
  /** Whether it was sent faster than a person could; the mail says so. */
  isQuick?: boolean;
};

/**
 * Stores a contact message and its mail to the firm in one transaction. The same idempotency key with the same words
 * makes one message; without a key every call makes one. `repeated` means that nothing was added.
 */
export async function submitMessage(
  { db, wakeOutbox, countEvent, clock = () => new Date() }: SubmitMessageDeps,
  message: ContactMessage,
  origin: SubmissionOrigin,
): Promise<{ ok: true; repeated: boolean }> {
  const { idempotencyKey, clientAddress, requestId, suspicion = null, isQuick } = origin;
  const now = clock();
  const receivedAt = now.toISOString();
  const repeated = await db.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto("contact_messages")
      .values({
        first_name: message.firstName,
        last_name: message.lastName,
        email: message.email,
        mailbox_key: mailboxKey(message.email),
        company: message.company,
        phone: message.phone,
        subject: message.subject,
        message: message.message,
        submission_key: idempotencyKey === null ? null : submissionKey(idempotencyKey, message),
        sender_address: clientAddress?.slice(0, addressMaxLength) ?? null,
        received_at: receivedAt,
        held_at: suspicion && receivedAt,
        held_reason: suspicion,
      })
      .onConflict((conflict) => conflict.column("submission_key").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) return true;
    if (suspicion) {
      await noteQuarantined(trx, now);
    } else {
      const payload = {
        ...message,
        ...(isQuick ? { isQuick } : {}),
        receivedAt,
        messageId: added.id,
      };
      await enqueue(trx, { kind: "contact-email", payload, now, requestId });
    }
    return false;
  });
  wakeOutbox();
  if (!repeated && !suspicion) countEvent?.("message sent");
  return { ok: true, repeated };
}

export async function isRepeat(
  { db }: Pick<SubmitMessageDeps, "db">,
  message: ContactMessage,
  idempotencyKey: string | null,
): Promise<boolean> {
  if (idempotencyKey === null) return false;
  const known = await db
    .selectFrom("contact_messages")
    .select("id")
    .where("submission_key", "=", submissionKey(idempotencyKey, message))
    .executeTakeFirst();
  return known !== undefined;
}

/** Edited words under the same key are a new message. */
export function submissionKey(idempotencyKey: string, message: ContactMessage): string {
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
  "read_at as readAt",
] as const;

export type MessageFilter = {
  quarantined?: boolean;
  unread?: boolean;
  subject?: string;
  /** Words in a name, an address, the company or the message, whatever their accents and capitals. */
  find?: string;
};

/** Messages, newest first. `beforeId` continues after the last id of the previous page. */
export async function listMessages(
  db: Db,
  { limit = 100, beforeId, ...filter }: MessageFilter & { limit?: number; beforeId?: number } = {},
) {
  let query = db.selectFrom("contact_messages").select(listedColumns).where(passes(db, filter));
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return await query.orderBy("id", "desc").limit(limit).execute();
}

export async function countMessages(db: Db, filter: MessageFilter = {}): Promise<number> {
  const { count } = await db
    .selectFrom("contact_messages")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(passes(db, filter))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const searched = sql`concat_ws(' ', first_name, last_name, email, company, phone, message)`;

function passes(db: Db, { quarantined, unread, subject, find = "" }: MessageFilter) {
  const words = find.split(/\s+/).filter(Boolean).slice(0, 10);
  return (eb: ExpressionBuilder<Database, "contact_messages">) =>
    eb.and([
      ...(quarantined ? [eb("held_at", "is not", null)] : []),
      ...(unread ? [eb("read_at", "is", null), eb("held_at", "is", null)] : []),
      ...(subject ? [eb("subject", "=", subject)] : []),
      ...words.map((word) => holdsText(db, searched, word)),
    ]);
}

export async function markMessage(
  db: Db,
  { id, at }: { id: number; at: Date | null },
): Promise<void> {
  await db
    .updateTable("contact_messages")
    .set({ read_at: at?.toISOString() ?? null })
    .where("id", "=", id)
    .execute();
}

/** Deletes one message, if it is there. Mail about it that waits is still sent. */
export async function deleteMessage(db: Db, id: number): Promise<void> {
  await db.deleteFrom("contact_messages").where("id", "=", id).execute();
}

export async function findMessage(db: Db, id: number): Promise<ContactListing | null> {
  const message = await db
    .selectFrom("contact_messages")
    .select(listedColumns)
    .where("id", "=", id)
    .executeTakeFirst();
  return message ?? null;
}

type ReleaseMessageResult = { ok: true } | { ok: false; reason: "unknown_message" | "not_held" };

/** Releases a quarantined message and enqueues its mail, with the time when it arrived. */
export async function releaseMessage(
  { db, now }: { db: Db; now: Date },
  { id }: { id: number },
): Promise<ReleaseMessageResult> {
  return await db.transaction().execute(async (trx): Promise<ReleaseMessageResult> => {
    const released = await trx
      .updateTable("contact_messages")
      .set({ held_at: null, released_at: now.toISOString() })
      .where("id", "=", id)
      .where("held_at", "is not", null)
      .returning(["id as messageId", ...mailedColumns])
      .executeTakeFirst();
    if (released) {
      await enqueue(trx, { kind: "contact-email", payload: released, now });
      return { ok: true };
    }
    const isKnown = (await findMessage(trx, id)) !== null;
    return { ok: false, reason: isKnown ? "not_held" : "unknown_message" };
  });
}
