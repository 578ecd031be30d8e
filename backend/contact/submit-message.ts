import { createHash } from "node:crypto";
import { contactFields } from "#contracts/contact-form.ts";
import type { ContactMessage } from "#contracts/contact-message.ts";
import type { BackendOptions } from "../backend.ts";
import { enqueue } from "../outbox/enqueue.ts";

const addressMaxLength = 100;

export type SubmitMessageDeps = Pick<BackendOptions, "db" | "wakeOutbox"> & {
  clock?: () => Date;
};

/**
 * Takes a contact message: the row and the e-mail to the firm, together or not at all. The same idempotency key with
 * the same words makes one message; without a key every call makes one. `repeated` tells that nothing was added.
 */
export async function submitMessage(
  { db, wakeOutbox, clock = () => new Date() }: SubmitMessageDeps,
  message: ContactMessage,
  {
    idempotencyKey,
    clientAddress,
    requestId,
  }: { idempotencyKey: string | null; clientAddress: string | null; requestId?: string | null },
): Promise<{ ok: true; repeated: boolean }> {
  const now = clock();
  const receivedAt = now.toISOString();
  const repeated = await db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto("contact_messages")
      .values({
        first_name: message.firstName,
        last_name: message.lastName,
        email: message.email,
        company: message.company,
        phone: message.phone,
        subject: message.subject,
        message: message.message,
        submission_key: idempotencyKey === null ? null : submissionKey(idempotencyKey, message),
        sender_address: clientAddress?.slice(0, addressMaxLength) ?? null,
        received_at: receivedAt,
      })
      .onConflict((conflict) => conflict.column("submission_key").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!inserted) return true;
    const payload = { ...message, messageId: inserted.id, receivedAt };
    await enqueue(trx, { kind: "contact-email", payload, now, requestId });
    return false;
  });
  wakeOutbox();
  return { ok: true, repeated };
}

/** Edited words under the same key are a new message: none is ever taken for a repeat of another. */
function submissionKey(idempotencyKey: string, message: ContactMessage): string {
  const parts = [idempotencyKey, ...contactFields.map((field) => message[field])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
