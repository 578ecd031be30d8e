import { contactMessageSchema } from "#contracts/contact-message.ts";
import type { BackendOptions } from "../backend.ts";
import { submitMessage } from "../contact/submit-message.ts";
import type { BackendFunction } from "./backend-function.ts";
import { readFields } from "./read-fields.ts";

/** One to two hundred visible ASCII characters. */
const idempotencyKeyShape = /^[\u0021-\u007e]{1,200}$/;

/**
 * `send-contact-email`: the seven fields → `{ success: true }`. With an `Idempotency-Key` header, the same key and
 * words make one message, and a repeat is answered like the first call.
 */
export function sendContactEmail(options: BackendOptions): BackendFunction {
  return {
    refusalShape: {},
    async run({ body, headers, clientAddress, requestId }) {
      const idempotencyKey = headers.get("idempotency-key");
      if (idempotencyKey !== null && !idempotencyKeyShape.test(idempotencyKey)) {
        return {
          ok: false,
          status: 400,
          error: "Idempotency-Key has to be 1 to 200 visible ASCII characters.",
        };
      }
      const read = readFields(contactMessageSchema, body);
      if (!read.ok) return read;
      await submitMessage(options, read.values, { idempotencyKey, clientAddress, requestId });
      return { ok: true, body: { success: true } };
    },
  };
}
