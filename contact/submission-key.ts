import { createHash } from "node:crypto";
import { contactFields } from "#contracts/contact-form.ts";
import type { ContactMessage } from "#contracts/contact-message.ts";

/** Edited words under the same key are a new message: none is ever taken for a repeat of another. */
export function submissionKey(idempotencyKey: string, message: ContactMessage): string {
  const parts = [idempotencyKey, ...contactFields.map((field) => message[field])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
