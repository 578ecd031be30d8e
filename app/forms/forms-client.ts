import { FunctionsClient, FunctionsError, FunctionsHttpError } from "@supabase/functions-js";
import {
  type FormEvidence,
  type FormFailure,
  type Forms,
  formEvidenceHeader,
  type MailLinkResult,
  type SubscribeResult,
  writeFormEvidence,
} from "../ports.ts";

/** By the official client. */
export function browserForms(): Forms {
  return formsBy(new FunctionsClient(`${location.origin}/functions/v1`));
}

export function formsBy(client: FunctionsClient): Forms {
  /** The client throws on a body that isn't JSON, for example. */
  async function call(name: string, body: object, headers?: Record<string, string>) {
    try {
      const options = { body: { ...body }, headers, timeout: 20_000 };
      const { data, error } = await client.invoke<unknown>(name, options);
      return error ? failure(error) : ({ ok: true, data } as const);
    } catch (error) {
      return { ok: false, reason: "unexpected", error } as const;
    }
  }

  async function followMailLink(name: string, body: object): Promise<MailLinkResult> {
    const called = await call(name, body);
    if (!called.ok) return called;
    const answer = readAnswer(called.data);
    if (!answer) return unreadable("a link in mail");
    const { success, message } = answer;
    return success ? { ok: true } : { ok: false, reason: "refused", message: message ?? "" };
  }

  return {
    // An empty answer, or one without `success`, counts as success (specification, section 7); a web page doesn't.
    async subscribe(email, evidence): Promise<SubscribeResult> {
      // The webhook's address stays on the server (docs/decisions/0003).
      const body = { email, webhookUrl: "" };
      const called = await call("newsletter-signup", body, evidenceHeader(evidence));
      if (!called.ok) return called;
      const { data } = called;
      if (data === null || data === undefined || data === "") {
        return { ok: true, duplicate: false, message: null };
      }
      const answer = readAnswer(data);
      if (!answer) return unreadable("a sign-up");
      const { success, duplicate, message } = answer;
      return success ? { ok: true, duplicate, message } : { ok: false, reason: "refused", message };
    },
    async sendMessage(message, { idempotencyKey, evidence }) {
      const headers = evidenceHeader(evidence);
      if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
      const called = await call("send-contact-email", message, headers);
      return called.ok ? { ok: true } : called;
    },
    confirm: (token) => followMailLink("newsletter-confirm", { token }),
    unsubscribe: (token, way) => followMailLink("newsletter-unsubscribe", { token, way }),
  };
}

function unreadable(what: string): FormFailure {
  return { ok: false, reason: "unexpected", error: new Error(`Unreadable answer to ${what}.`) };
}

function evidenceHeader(evidence: FormEvidence): Record<string, string> {
  const written = writeFormEvidence(evidence);
  return written ? { [formEvidenceHeader]: written } : {};
}

function failure(error: unknown): FormFailure {
  if (!(error instanceof FunctionsHttpError)) {
    const reason = error instanceof FunctionsError ? "function_error" : "unexpected";
    return { ok: false, reason, error };
  }
  const { status, headers } = error.context as Response;
  if (status === 429 || status === 503) {
    const retryAfterSeconds = Math.ceil(Math.max(0, Number(headers.get("Retry-After")))) || 60;
    const reason = status === 429 ? "rate_limited" : "unavailable";
    return { ok: false, reason, retryAfterSeconds, error };
  }
  // Unreadable, too large, or invalid input. Other statuses, such as 401, are for the operator to fix.
  const isRefusal = [400, 413, 422].includes(status);
  return { ok: false, reason: "function_error", isRefusal, error };
}

function readAnswer(data: unknown) {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return null;
  const { success = true, duplicate, message } = data as Record<string, unknown>;
  if (typeof success !== "boolean") return null;
  const words = typeof message === "string" ? message.trim() : "";
  return { success, duplicate: duplicate === true, message: words || null };
}
