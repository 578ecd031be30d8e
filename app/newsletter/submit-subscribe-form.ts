import { type Notice, type OtherWays, subscribeNotices } from "#content/notices.ts";
import type { FormFailure, Forms, SubscribeResult } from "#contracts/ports.ts";
import { emailMaxLength, emailShape } from "#contracts/text.ts";
import { type Failure, isHoneypotFilled, postedText } from "../forms/form-parts.tsx";

type Result =
  | {
      ok: true;
      duplicate: boolean;
      /** ISO 8601. */
      receivedAt: string;
    }
  | ({ ok: false; reason: "missing" | "refused" | FormFailure["reason"] } & Failure);

/** The name of the address's field, by which a posted form is told from the other on its page. */
export const fieldOf = { page: "email", masthead: "masthead-email" } as const;
/** The hidden field that names the wording of consent which the form showed. */
export const wordingField = "wording";

export type SubscribePlace = keyof typeof fieldOf;

export type SubscribeOutcome = {
  form: "subscribe";
  /** The form that was sent, of two on a page. */
  place: SubscribePlace;
  email: string;
  notice: Notice;
} & Result;

/** An address without the invisible characters and the spaces around it that come with pasting. */
export function cleanAddress(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, "").trim();
}

/**
 * Subscribes the posted address. An empty one is refused before any call; the browser and the function refuse a
 * malformed one. `site` names other ways to reach the firm after too many tries.
 */
export async function submitSubscribeForm(
  forms: Pick<Forms, "subscribe">,
  form: FormData,
  { site }: { site: OtherWays },
): Promise<SubscribeOutcome> {
  const place = form.has(fieldOf.masthead) ? "masthead" : "page";
  const email = cleanAddress(postedText(form, fieldOf[place]));
  const answer = { form: "subscribe", place, email } as const;
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
  switch (result.reason) {
    case "refused": {
      const notice = withMessage(subscribeNotices.refused, result.message);
      return { ok: false, reason: "refused", notice };
    }
    case "rate_limited": {
      // A refusal that the notice explains is no error.
      const notice = subscribeNotices.limited(result.retryAfterSeconds, site);
      return { ...result, error: undefined, notice };
    }
    case "unexpected":
      return { ...result, notice: subscribeNotices.unexpected };
    default:
      return { ...result, notice: subscribeNotices.functionError };
  }
}

function withMessage(notice: Notice, message: string | null): Notice {
  return message ? { ...notice, text: message } : notice;
}

/** A new sign-up clears the field (specification, section 4); otherwise the address stays for another try. */
export function clearsField(outcome: SubscribeOutcome): boolean {
  return outcome.ok && !outcome.duplicate;
}

/** Chooses the words beside the field. Only for the last is the address not at fault. */
export function faultOf(
  outcome: SubscribeOutcome,
): "missing" | "malformed" | "refused" | "failed" | null {
  if (outcome.ok) return null;
  if (outcome.reason === "missing") return "missing";
  if (outcome.reason !== "refused") return "failed";
  return emailShape.test(outcome.email) ? "refused" : "malformed";
}
