import type { HonoRequest } from "hono";
import { cors } from "hono/cors";
import * as v from "valibot";
import { newsletterName } from "#content/site.ts";
import type { SubmissionKind } from "./limits.ts";

/** Longest body that a function reads: the longest contact message with every character as `\uXXXX`, and more. */
export const bodyMaxBytes = 96 * 1024;
export const bodyTooLarge = `The body is larger than ${bodyMaxBytes / 1024} KB.`;

/**
 * 400: not what the function can read. 401: not signed as it has to be. 422: read, and a field breaks a rule. 429: too
 * many in a short time.
 */
export type Refusal = {
  ok: false;
  status: 400 | 401 | 422 | 429;
  error: string;
  fields?: Record<string, string>;
  /** With 429: when the sender may try again. */
  retryAfterSeconds?: number;
};

/** The answers' words. Each is true of every case that it answers, and says of a duplicate no more than that it is one. */
export const answerWords = {
  invalidAddress: "Please enter a valid email address.",
  duplicate:
    "This email is already subscribed to our newsletter. If you have not confirmed it yet, open the link in our confirmation email.",
  subscribed:
    "Thank you for subscribing to our newsletter. We send it to confirmed addresses only: to confirm yours, open the link in our confirmation email.",
  confirmed: `Your subscription to ${newsletterName} is confirmed.`,
  unknownLink: "This link is not valid. Please check that it is complete, or subscribe again.",
  alreadyLeft: `This address has been taken off the list. Subscribe again to receive ${newsletterName}.`,
  unsubscribed: `You’re unsubscribed. We won’t send you ${newsletterName} again.`,
  unknownLeavingLink: (email: string) =>
    `This link is not valid. Write to ${email} and we will take your address off the list.`,
  badIdempotencyKey: "Idempotency-Key has to be 1 to 200 visible ASCII characters.",
  unsaved: "This can't be saved at the moment. Please try again shortly.",
};

/** The refusal of a sender past a limit. Which limit that is stays unsaid. */
export function tooMany(form: SubmissionKind, retryAfterSeconds: number): Refusal {
  const what = form === "signUp" ? "sign-ups" : "messages";
  const error = `Too many ${what} in a short time. Try again in ${retryAfterSeconds} seconds.`;
  return { ok: false, status: 429, error, retryAfterSeconds };
}

/** Any origin may call a function, as at a hosted project: none reads a cookie. */
export const allowCalls = cors({
  origin: "*",
  allowMethods: ["POST", "OPTIONS"],
  allowHeaders: [
    "authorization",
    "x-client-info",
    "apikey",
    "content-type",
    "x-retry-count",
    "idempotency-key",
    "form-evidence",
  ],
  exposeHeaders: ["retry-after"],
  maxAge: 24 * 60 * 60,
});

type Reading =
  | { ok: true; body: Record<string, unknown>; text: string }
  | { ok: false; status: 400 | 415; error: string };

/** Reads the JSON object that a call carries, of a size that is bounded already; and its text, which a signature is of. */
export async function readJsonObject(request: HonoRequest): Promise<Reading> {
  const mediaType = request.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    return { ok: false, status: 415, error: "The content type has to be application/json." };
  }
  try {
    // Not `json()`, which reads bytes that are no UTF-8 as question marks.
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
 * Checks a body against a function's schema. 400 where a field has the wrong type, 422 where one breaks a rule, with
 * the first fault of each field. Fields that the schema doesn't name are dropped.
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
      : { ok: false, status: 422, error: "A field can't be taken as it is.", fields };
  }
  // Half of a character: JSON can spell it, and UTF-8, which both databases store, can't.
  const broken = Object.entries(parsed.output).filter(
    ([, value]) => typeof value === "string" && !value.isWellFormed(),
  );
  if (broken.length === 0) return { ok: true, values: parsed.output };
  const fields = Object.fromEntries(
    broken.map(([name]) => [name, `${name} contains characters that can't be stored.`]),
  );
  return { ok: false, status: 422, error: "A field can't be taken as it is.", fields };
}
