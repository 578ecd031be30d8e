import {
  defaultRetrySeconds,
  type FormFailure,
  type FormSender,
  type Forms,
  formEvidenceHeader,
  type MailLinkResult,
  writeFormEvidence,
} from "#contracts/ports.ts";
import type { FunctionName, Functions } from "./functions.ts";

/** The forms of the site's own pages: they call the functions directly, and share their limits. */
export function formsOfFunctions(
  functions: Functions,
  siteUrl: string,
  { page, clientAddress, requestId = "" }: FormSender,
): Forms {
  async function call(
    name: FunctionName,
    body: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<{ ok: true; body: Record<string, unknown> } | FormFailure> {
    const answer = await functions.run(name, {
      body,
      text: "",
      headers: new Headers({ ...headers, Referer: page }),
      url: siteUrl,
      clientAddress,
      requestId: requestId || null,
    });
    if (answer.ok) return answer;
    const { status, retryAfterSeconds = defaultRetrySeconds, cause } = answer;
    const error = cause ?? new Error(answer.error);
    if (status !== 429 && status !== 503)
      return { ok: false, reason: "function_error", isRefusal: true, error };
    const reason = status === 429 ? "rate_limited" : "unavailable";
    return { ok: false, reason, retryAfterSeconds, error };
  }

  async function followMailLink(
    name: FunctionName,
    body: Record<string, unknown>,
  ): Promise<MailLinkResult> {
    const called = await call(name, body);
    if (!called.ok) return called;
    const { success, message } = called.body;
    return success === true
      ? { ok: true }
      : { ok: false, reason: "refused", message: `${message}` };
  }

  return {
    async subscribe(email, evidence) {
      const headers = { [formEvidenceHeader]: writeFormEvidence(evidence) };
      const called = await call("newsletter-signup", { email }, headers);
      if (!called.ok) return called;
      const { success, duplicate } = called.body;
      const message = `${called.body.message}`;
      return success === true
        ? { ok: true, duplicate: duplicate === true, message }
        : { ok: false, reason: "refused", message };
    },
    async sendMessage(message, { idempotencyKey, evidence }) {
      const called = await call("send-contact-email", message, {
        [formEvidenceHeader]: writeFormEvidence(evidence),
        ...(idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {}),
      });
      return called.ok ? { ok: true } : called;
    },
    confirm: (token) => followMailLink("newsletter-confirm", { token }),
    unsubscribe: (token, way) => followMailLink("newsletter-unsubscribe", { token, way }),
  };
}
