import type { Kysely } from "kysely";
import type { ContactMessage } from "#contracts/contact-message.ts";
import type { CountEvent } from "#contracts/visits.ts";
import { commitShared } from "#db/commit-shared.ts";
import type { SharedWrite } from "#db/shared-write.ts";
import type { Database, Priority } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import type { OutboxPayloads } from "#mail/outbox-jobs.ts";
import { enqueueAll } from "#mail/outbox-jobs.ts";
import { addMessages, type NewMessage } from "./add-messages.ts";
import type { HeldReason } from "./held/held-reason.ts";
import { noteHeld } from "./held/note-held.ts";
import { submissionKey } from "./submission-key.ts";

const addressMaxLength = 100;

export type SubmitMessageDeps = {
  db: Kysely<Database>;
  /** Wakes the outbox worker after a commit; the worker also looks by itself. */
  wakeOutbox: () => void;
  countEvent?: CountEvent;
  clock?: () => Date;
};

type SubmissionOrigin = {
  idempotencyKey: string | null;
  clientAddress: string | null;
  requestId?: string | null;
  /** What makes it look like spam: then it is held, with the operator's note in place of the mail. */
  suspicion?: HeldReason | null;
  /** Whether it was sent faster than people are: the mail says so. */
  isQuick?: boolean;
  /** The priority of its mail, where more waits than is sent. */
  priority?: Priority;
};

/**
 * Takes a contact message: the row and the email to the firm, together or not at all. The same idempotency key with
 * the same words makes one message; without a key every call makes one. `repeated` tells that nothing was added.
 */
export async function submitMessage(
  { db, wakeOutbox, countEvent, clock = () => new Date() }: SubmitMessageDeps,
  message: ContactMessage,
  origin: SubmissionOrigin,
): Promise<{ ok: true; repeated: boolean }> {
  const { idempotencyKey, clientAddress, requestId, suspicion = null, isQuick, priority } = origin;
  const now = clock();
  const receivedAt = now.toISOString();
  const row = {
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
  };
  const quick = isQuick ? { isQuick } : {};
  const payload = { ...message, ...quick, receivedAt };
  const submission = { row, payload, now, isHeld: suspicion !== null, requestId, priority };
  const { repeated } = await commitShared(db, submitting, submission);
  wakeOutbox();
  if (!repeated && !suspicion) countEvent?.("message sent");
  return { ok: true, repeated };
}

type Submission = {
  row: NewMessage;
  payload: Omit<OutboxPayloads["contact-email"], "messageId">;
  now: Date;
  isHeld: boolean;
  requestId?: string | null;
  priority?: Priority;
};

/** Messages and their mail, or the operator's note where they are held. */
const submitting: SharedWrite<Submission, { repeated: boolean }> = {
  keyOf: ({ row }) => row.submission_key,
  async writeAll(trx, items) {
    const ids = await addMessages(
      trx,
      items.map(({ row }) => row),
    );
    const held = items.find(({ isHeld }, index) => isHeld && ids[index] !== null);
    if (held) await noteHeld(trx, held.now);
    const mails = items.flatMap(({ payload, now, isHeld, requestId, priority }, index) => {
      const messageId = ids[index] ?? null;
      if (messageId === null || isHeld) return [];
      const mail = { ...payload, messageId };
      return [{ kind: "contact-email", payload: mail, now, requestId, priority } as const];
    });
    await enqueueAll(trx, mails);
    return ids.map((id) => ({ repeated: id === null }));
  },
  async writeOne(trx, item) {
    const [result] = await submitting.writeAll(trx, [item]);
    return result ?? { repeated: false };
  },
};

/** Whether a message with this key and these words has been taken already. */
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
