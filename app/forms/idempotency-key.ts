import { idempotencyKeyShape } from "#contracts/idempotency-key.ts";
import { postedText } from "./posted-text.ts";

/** The hidden field that carries the key in a posted form. */
export const idempotencyField = "idempotencyKey";

const keyBytes = 16;

/**
 * A new key for one message: 32 hexadecimal digits. Not `crypto.randomUUID`, which browsers have only on https and
 * localhost.
 */
export function mintIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The key of a posted form; empty where it has none that could be one of ours. */
export function postedIdempotencyKey(form: FormData): string {
  const key = postedText(form, idempotencyField);
  return idempotencyKeyShape.test(key) ? key : "";
}
