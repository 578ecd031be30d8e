import { answerWords, readFields } from "#api/function-call.ts";
import { submissionKey } from "#contact/messages.ts";
import { contactMessageSchema } from "#contracts/contact-message.ts";
import { idempotencyKeyShape } from "#contracts/ports.ts";
import { type Answer, type Call, inTransaction, refused } from "./call.ts";
import { refusalOfTooMany } from "./limits.ts";
import { enqueue } from "./outbox.ts";

/** `send-contact-email`: the seven fields → `{ success: true }`. The same key and words make one message. */
export async function sendContactEmail(call: Call): Promise<Answer> {
  const { pool, visitor, headers } = call;
  const key = headers.get("Idempotency-Key");
  if (key !== null && !idempotencyKeyShape.test(key)) {
    return refused({ ok: false, status: 400, error: answerWords.badIdempotencyKey });
  }
  const read = readFields(contactMessageSchema, call.body);
  if (!read.ok) return refused(read);
  const message = read.values;
  const tooMany = await refusalOfTooMany(call, "message", { email: message.email, visitor });
  if (tooMany) return tooMany;
  const receivedAt = new Date().toISOString();
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into chalkline.contact_messages
         (first_name, last_name, email, company, phone, subject, message, submission_key, sender_address, received_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (submission_key) do nothing
       returning id`,
      [
        message.firstName,
        message.lastName,
        message.email,
        message.company,
        message.phone,
        message.subject,
        message.message,
        key && submissionKey(key, message),
        visitor,
        receivedAt,
      ],
    );
    const [inserted] = rows;
    if (!inserted) return;
    await enqueue(client, "contact-email", {
      ...message,
      messageId: Number(inserted.id),
      receivedAt,
    });
  });
  return { status: 200, body: { success: true } };
}
