import { type Notice, type OtherWays, subscribeNotices } from "#content/notices.ts";
import { emailMaxLength, emailShape } from "#content/text.ts";
import { type Failure, isHoneypotFilled, postedText } from "../forms/form-parts.tsx";
import type { FormFailure, Forms, SubscribeResult } from "../ports.ts";

type Result =
  | {
      ok: true;
      duplicate: boolean;
      /** ISO 8601. */
      receivedAt: string;
    }
  | ({ ok: false; reason: "missing" | "refused" | FormFailure["reason"] } & Failure);

export const wordingField = "wording";

export type SubscribeOutcome = { form: "subscribe"; email: string; notice: Notice } & Result;

/** Pasting brings invisible characters and spaces. */
export function cleanAddress(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, "").trim();
}

/** Refuses an empty address before any call; the function refuses a malformed one. */
export async function submitSubscribeForm(
  forms: Pick<Forms, "subscribe">,
  form: FormData,
  { site }: { site: OtherWays },
): Promise<SubscribeOutcome> {
  const email = cleanAddress(postedText(form, "email"));
  const answer = { form: "subscribe", email } as const;
  if (!email) return { ...answer, ok: false, reason: "missing", notice: subscribeNotices.missing };
  if (email.length > emailMaxLength) {
    return { ...answer, ok: false, reason: "refused", notice: subscribeNotices.refused };
  }
  const wordingHash = postedText(form, wordingField);
  const evidence = { honeypotFilled: isHoneypotFilled(form), openForMs: null, wordingHash };
  return { ...answer, ...fromResult(await forms.subscribe(email, evidence), site) };
}

function fromResult(result: SubscribeResult, site: OtherWays): Result & { notice: Notice } {
  if (result.ok) {
    const { duplicate, message } = result;
    const notice = duplicate ? subscribeNotices.duplicate : subscribeNotices.subscribed;
    const receivedAt = new Date().toISOString();
    return { ok: true, duplicate, receivedAt, notice: withMessage(notice, message) };
  }
  const { refused, limited, unexpected, functionError } = subscribeNotices;
  if (result.reason === "refused") {
    return { ok: false, reason: "refused", notice: withMessage(refused, result.message) };
  }
  if (result.reason === "rate_limited") {
    return { ...result, error: undefined, notice: limited(result.retryAfterSeconds, site) };
  }
  return { ...result, notice: result.reason === "unexpected" ? unexpected : functionError };
}

function withMessage(notice: Notice, message: string | null): Notice {
  return message ? { ...notice, text: message } : notice;
}

/** Specification, section 4. */
export function clearsField(outcome: SubscribeOutcome): boolean {
  return outcome.ok && !outcome.duplicate;
}

/** Only for the last is the address not at fault. */
export function faultOf(
  outcome: SubscribeOutcome,
): "missing" | "malformed" | "refused" | "failed" | null {
  if (outcome.ok) return null;
  if (outcome.reason === "missing") return "missing";
  if (outcome.reason !== "refused") return "failed";
  return emailShape.test(outcome.email) ? "refused" : "malformed";
}
