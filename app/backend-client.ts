import { FunctionsClient, FunctionsError, FunctionsHttpError } from "@supabase/functions-js";
import type { ContactMessage } from "#contracts/contact-message.ts";
import {
  type FormEvidence,
  formEvidenceHeader,
  writeFormEvidence,
} from "#contracts/form-evidence.ts";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { SiteServices } from "./site-services.ts";

/** How long a visitor waits for a function before the form says that it failed. */
const sendMessageTimeoutMs = 20_000;
const subscribeTimeoutMs = 15_000;

/** Supabase's own client of the two functions, and what sets a hosted project apart from the built-in backend. */
export type BackendFunctions = {
  client: FunctionsClient;
  /** Null for the built-in backend, whose server knows the webhook's address and keeps it private. */
  hosted: SiteSettings["hostedBackend"];
};

/** How long a visitor is asked to wait where the answer doesn't say. */
const defaultRetrySeconds = 60;

type Failure =
  | { ok: false; reason: "rate_limited" | "unavailable"; retryAfterSeconds: number; error: unknown }
  | { ok: false; reason: "function_error" | "unexpected"; error: unknown };

type SendMessageResult = { ok: true } | Failure;

export type SubscribeResult =
  | { ok: true; duplicate: boolean; message: string | null }
  | { ok: false; reason: "refused"; message: string | null }
  | Failure;

/** For the browser: the site's own origin, or the hosted project. */
export function browserFunctions({
  hostedBackend: hosted,
}: Pick<SiteSettings, "hostedBackend">): BackendFunctions {
  return hosted
    ? hostedFunctions(hosted, { customFetch: fetchFromPage })
    : builtInFunctions(location.origin, {});
}

/**
 * Tells a hosted project the page that a consent is given on: its path alone. Across origins a browser would tell no more
 * than the origin, and a query is nobody's business.
 */
function fetchFromPage(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return fetch(input, { ...init, referrer: location.pathname, referrerPolicy: "unsafe-url" });
}

/**
 * Whether the idempotency key and how the form was filled in go along. A browser may send a hosted project neither: the
 * list of headers that Supabase's functions accept across origins doesn't have them.
 */
function mayTellMore(hosted: BackendFunctions["hosted"]): boolean {
  return import.meta.env.SSR || !hosted;
}

/**
 * For a loader or an action: the built-in backend called in-process, or the hosted project. The page that the visitor
 * came from goes along as the referrer, because a consent is kept with the page that it was given on. A hosted backend is
 * also told the visitor's address, as every proxy does, and believes it where this server is one of its trusted proxies.
 */
export function serverFunctions(
  services: SiteServices & { origin: RequestOrigin },
  request: Request,
): BackendFunctions {
  const { settings, backendFetch, origin } = services;
  const referrer = request.headers.get("Referer") ?? request.url;
  const { clientAddress, requestId } = origin;
  const hosted = settings.hostedBackend;
  if (hosted) {
    const headers = {
      Referer: referrer,
      ...(clientAddress && { "X-Forwarded-For": clientAddress }),
      ...(requestId && { "X-Request-Id": requestId }),
    };
    return hostedFunctions(hosted, { headers });
  }
  if (!backendFetch) throw new Error("No backend is configured for this site.");
  return builtInFunctions(settings.url, {
    headers: { Referer: referrer },
    customFetch: (input, init) => backendFetch(new Request(input, init), origin),
  });
}

/**
 * Sends a contact message through `send-contact-email`; its answer is read only for an error. The built-in backend
 * makes one message of every send with the same key and words.
 */
export async function invokeSendMessage(
  { client, hosted }: BackendFunctions,
  message: ContactMessage,
  { idempotencyKey, evidence }: { idempotencyKey: string; evidence: FormEvidence },
): Promise<SendMessageResult> {
  const key: Record<string, string> = idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {};
  const { error } = await client.invoke("send-contact-email", {
    body: message,
    headers: mayTellMore(hosted) ? { ...key, ...evidenceHeader(evidence) } : {},
    timeout: sendMessageTimeoutMs,
  });
  return error ? failure(error) : { ok: true };
}

/**
 * Subscribes an address through `newsletter-signup`. An answer without data, or whose data says nothing of success, is
 * one (specification, section 7); one that is no answer of a function, such as a web page, is not taken for one.
 */
export async function invokeSubscribe(
  { client, hosted }: BackendFunctions,
  email: string,
  evidence: FormEvidence,
): Promise<SubscribeResult> {
  const { data, error } = await client.invoke<unknown>("newsletter-signup", {
    // The built-in backend knows the webhook's address by itself; browsers aren't told it (docs/decisions/0003).
    body: { email, webhookUrl: hosted?.webhookUrl ?? "" },
    headers: mayTellMore(hosted) ? evidenceHeader(evidence) : {},
    timeout: subscribeTimeoutMs,
  });
  if (error) return failure(error);
  if (data === null || data === undefined || data === "") {
    return { ok: true, duplicate: false, message: null };
  }
  const answer = readAnswer(data);
  if (!answer) {
    return { ok: false, reason: "unexpected", error: new Error("Unreadable answer to a sign-up.") };
  }
  const { success, duplicate, message } = answer;
  return success ? { ok: true, duplicate, message } : { ok: false, reason: "refused", message };
}

type ClientOptions = NonNullable<ConstructorParameters<typeof FunctionsClient>[1]>;

function hostedFunctions(
  hosted: NonNullable<SiteSettings["hostedBackend"]>,
  { headers, customFetch }: ClientOptions,
): BackendFunctions {
  const { url, anonKey } = hosted;
  const client = new FunctionsClient(functionsUrl(url), {
    headers: { ...headers, apikey: anonKey, Authorization: `Bearer ${anonKey}` },
    customFetch,
  });
  return { client, hosted };
}

function builtInFunctions(origin: string, options: ClientOptions): BackendFunctions {
  return { client: new FunctionsClient(functionsUrl(origin), options), hosted: null };
}

function functionsUrl(origin: string): string {
  return `${origin}/functions/v1`;
}

function evidenceHeader(evidence: FormEvidence): Record<string, string> {
  const written = writeFormEvidence(evidence);
  return written ? { [formEvidenceHeader]: written } : {};
}

/** Unreadable, too large, or against a rule. Others, such as 401 of a hosted project, are the operator's to mend. */
const refusals = [400, 413, 422];

/** Whether the function answered that it can't take these words, so that a second try would end the same way. */
export function isRefusal(error: unknown): boolean {
  return error instanceof FunctionsHttpError && refusals.includes(error.context.status);
}

/** Answers that ask for patience. */
const waitReasons: Partial<Record<number, "rate_limited" | "unavailable">> = {
  429: "rate_limited",
  503: "unavailable",
};

/** The client wraps what it knows of; anything else, such as a body that is no JSON, nobody expected. */
function failure(error: unknown): Failure {
  const waitReason = error instanceof FunctionsHttpError && waitReasons[error.context.status];
  if (waitReason) {
    const seconds = Number(error.context.headers.get("Retry-After"));
    const retryAfterSeconds = seconds > 0 ? Math.ceil(seconds) : defaultRetrySeconds;
    return { ok: false, reason: waitReason, retryAfterSeconds, error };
  }
  const reason = error instanceof FunctionsError ? "function_error" : "unexpected";
  return { ok: false, reason, error };
}

/** Read by hand and leniently, because a hosted function may add fields or say `null` where ours leaves one out. */
function readAnswer(data: unknown) {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return null;
  const { success = true, duplicate, message } = data as Record<string, unknown>;
  if (typeof success !== "boolean") return null;
  const words = typeof message === "string" ? message.trim() : "";
  return { success, duplicate: duplicate === true, message: words || null };
}
