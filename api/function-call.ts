import type { HonoRequest } from "hono";
import { cors } from "hono/cors";
import * as v from "valibot";
import { newsletterName } from "#content/site.ts";
import type { SubmissionKind } from "./limits.ts";

/** Enough for the longest contact message with every character written as `\uXXXX`. */
export const bodyMaxBytes = 96 * 1024;
export const bodyTooLarge = `The body is larger than ${bodyMaxBytes / 1024} KB.`;

/**
 * 400: unreadable. 401: wrong signature. 422: a field breaks a rule. 429: too many in a short time. 503: a failure here,
 * with its cause.
 */
export type Refusal = {
  ok: false;
  status: 400 | 401 | 422 | 429 | 503;
  error: string;
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** Each text is true of every case it answers; a duplicate's doesn't reveal whether the address is confirmed. */
export const answerWords = {
  invalidAddress: "Please enter a valid email address.",
  duplicate:
    "This email is already on our list. Nothing arriving? Open the link in our confirmation email.",
  subscribed:
    "Thank you for subscribing to our newsletter. One step left: open the link in our confirmation email.",
  confirmed: `Your subscription to ${newsletterName} is confirmed.`,
  unknownLink: "This link is not valid. Please check that it is complete, or subscribe again.",
  alreadyLeft: `This address has been taken off the list. Subscribe again to receive ${newsletterName}.`,
  unsubscribed: `You’re unsubscribed. We won’t send you ${newsletterName} again.`,
  unknownLeavingLink: (email: string) =>
    `This link is not valid. Write to ${email} and we will take your address off the list.`,
  badIdempotencyKey: "Idempotency-Key has to be 1 to 200 visible ASCII characters.",
  unsaved: "This can't be saved at the moment. Please try again shortly.",
};

/** Doesn't say which limit was reached. */
export function tooMany(form: SubmissionKind, retryAfterSeconds: number): Refusal {
  const what = form === "signUp" ? "sign-ups" : "messages";
  const error = `Too many ${what} in a short time. Try again in ${retryAfterSeconds} seconds.`;
  return { ok: false, status: 429, error, retryAfterSeconds };
}

/** Any origin may call a function with any header, as at Supabase: none reads a cookie. */
export const allowCalls = cors({
  origin: "*",
  allowMethods: ["POST", "OPTIONS"],
  exposeHeaders: ["retry-after"],
  maxAge: 24 * 60 * 60,
});

type Reading =
  | { ok: true; body: Record<string, unknown>; text: string }
  | { ok: false; status: 400; error: string };

/**
 * Reads a call's JSON object, and its text for a signature. The size is limited already. The content type doesn't matter:
 * Supabase's client sends a text as `text/plain`, and a Blob as `application/octet-stream`.
 */
export async function readJsonObject(request: HonoRequest): Promise<Reading> {
  try {
    // `json()` would replace invalid UTF-8.
    const bytes = await request.arrayBuffer();
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) {
      return { ok: true, body: body as Record<string, unknown>, text };
    }
    return { ok: false, status: 400, error: "The body has to be a JSON object." };
  } catch {
    return { ok: false, status: 400, error: "The body is not valid JSON." };
  }
}

/**
 * Checks a body against a schema: 400 for a wrong type, 422 for a broken rule, with each field's first fault. Unknown
 * fields are dropped.
 */
export function readFields<Schema extends v.GenericSchema<unknown, Record<string, unknown>>>(
  schema: Schema,
  body: Record<string, unknown>,
): { ok: true; values: v.InferOutput<Schema> } | Refusal {
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) {
    const fields: Record<string, string> = {};
    for (const issue of parsed.issues) {
      const name = String(issue.path?.[0]?.key);
      fields[name] ??= issue.input === undefined ? `${name} is required.` : issue.message;
    }
    const isWrongType = parsed.issues.some(
      (issue) => issue.kind === "schema" && issue.input !== undefined,
    );
    return isWrongType
      ? { ok: false, status: 400, error: "A field has the wrong type.", fields }
      : { ok: false, status: 422, error: "A field is missing or invalid.", fields };
  }
  // A lone surrogate is valid JSON, but neither database can store it.
  const broken = Object.entries(parsed.output).filter(
    ([, value]) => typeof value === "string" && !value.isWellFormed(),
  );
  if (broken.length === 0) return { ok: true, values: parsed.output };
  const fields = Object.fromEntries(
    broken.map(([name]) => [name, `${name} contains characters that can't be stored.`]),
  );
  return { ok: false, status: 422, error: "A field is missing or invalid.", fields };
}
