import { type Notice, type OtherWays, subscribeNotices } from "#content/notices.ts";
import { emailMaxLength, emailShape } from "#contracts/text.ts";
import { type BackendFunctions, invokeSubscribe, type SubscribeResult } from "../backend-client.ts";
import { isTrapFilled } from "./form-evidence.ts";
import { postedText } from "./posted-text.ts";

type Result =
  | { ok: true }
  | {
      ok: false;
      reason: "missing" | "refused" | "rate_limited" | "function_error" | "unexpected";
      /** With `rate_limited`: when to try again. */
      retryAfterSeconds?: number;
    };

/** What came of a posted subscribe form, for the page that the server makes and for the form in the browser alike. */
export type SubscribeOutcome = { form: "subscribe"; email: string; notice: Notice } & Result;

/**
 * Subscribes the posted address. An empty one is answered before any call. A malformed one is stopped by the browser's
 * own check of the field and, past that, by the function, which says what is wrong with it. `site` names where a
 * visitor is sent when there have been too many; `openForMs` is how long the page has been open, where that is known.
 */
export async function submitSubscribeForm(
  backend: BackendFunctions,
  form: FormData,
  { site, openForMs }: { site: OtherWays; openForMs: number | null },
): Promise<SubscribeOutcome> {
  const email = postedText(form, "email");
  if (!email) return outcome({ ok: false, reason: "missing" }, email, subscribeNotices.missing);
  if (email.length > emailMaxLength) {
    return outcome({ ok: false, reason: "refused" }, email, subscribeNotices.refused);
  }
  try {
    const evidence = { trapFilled: isTrapFilled(form), openForMs };
    const result = await invokeSubscribe(backend, email, evidence);
    if (!result.ok && result.reason === "rate_limited") {
      const { reason, retryAfterSeconds } = result;
      const notice = subscribeNotices.limited(retryAfterSeconds, site);
      return outcome({ ok: false, reason, retryAfterSeconds }, email, notice);
    }
    return fromResult(result, email);
  } catch {
    return outcome({ ok: false, reason: "unexpected" }, email, subscribeNotices.unexpected);
  }
}

function fromResult(result: SubscribeResult, email: string): SubscribeOutcome {
  if (result.ok) {
    const notice = result.duplicate ? subscribeNotices.duplicate : subscribeNotices.subscribed;
    return outcome({ ok: true }, email, withMessage(notice, result.message));
  }
  const { reason } = result;
  if (reason === "refused") {
    const notice = withMessage(subscribeNotices.refused, result.message);
    return outcome({ ok: false, reason }, email, notice);
  }
  const notice =
    reason === "function_error" ? subscribeNotices.functionError : subscribeNotices.unexpected;
  return outcome({ ok: false, reason }, email, notice);
}

function withMessage(notice: Notice, message: string | null): Notice {
  return message ? { ...notice, text: message } : notice;
}

function outcome(result: Result, email: string, notice: Notice): SubscribeOutcome {
  return { form: "subscribe", email, notice, ...result };
}

/** Whether the address itself is what is wrong, so that the field is marked and takes the focus. */
export function isEmailAtFault(outcome: SubscribeOutcome): boolean {
  if (outcome.ok) return false;
  return (
    outcome.reason === "missing" ||
    (outcome.reason === "refused" && !emailShape.test(outcome.email))
  );
}
