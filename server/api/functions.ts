import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "pino";
import * as v from "valibot";
import { formEvidenceHeader, idempotencyKeyShape, mailLinkTokenMaxLength } from "#app/ports.ts";
import { isRepeat, submitMessage } from "#contact/messages.ts";
import { contactMessageSchema } from "#content/contact-message.ts";
import { named } from "#content/own-words.ts";
import type { RequestOrigin } from "#content/site-settings.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import {
  confirmSubscription,
  type NewsletterDeps,
  subscribe,
  unsubscribe,
} from "#newsletter/subscribers/subscribe.ts";
import {
  createSubmissionLimiter,
  type SubmissionKind,
  type SubmissionLimiter,
  type SubmissionLimits,
} from "./limits.ts";
import { mailEvents } from "./mail-events.ts";

export type FunctionsOptions = NewsletterDeps & {
  log: Pick<Logger, "info" | "warn" | "error">;
  submissionLimits?: SubmissionLimits;
  /** Null turns `mail-events` off. */
  mailEventsSecret?: string | null;
  isClosed?: () => boolean;
};

type Call = {
  body: Record<string, unknown>;
  text: string;
  headers: Headers;
  url: string;
  clientAddress: string | null;
  requestId: string | null;
};

/** 400: unreadable. 401: signature. 422: a broken rule. 429: too many. 503: a failure here. */
type Refusal = {
  ok: false;
  status: 400 | 401 | 422 | 429 | 503;
  error: string;
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
};

type Answer = { ok: true; body: Record<string, unknown> } | Refusal;

type Run = (call: Call) => Promise<Answer>;

/** True of every case; a duplicate's doesn't reveal whether the address is confirmed. */
const words = {
  invalidAddress: "Please enter a valid email address.",
  duplicate:
    "This email is already on our list. Nothing arriving? Open the link in our confirmation email.",
  subscribed:
    "Thank you for subscribing to our newsletter. One step left: open the link in our confirmation email.",
  confirmed: "Your subscription to {newsletter} is confirmed.",
  unknownLink: "This link is not valid. Please check that it is complete, or subscribe again.",
  alreadyLeft: "This address has been taken off the list. Subscribe again to receive {newsletter}.",
  unsubscribed: "You’re unsubscribed. We won’t send you {newsletter} again.",
  unknownLeavingLink: (email: string) =>
    `This link is not valid. Write to ${email} and we will take your address off the list.`,
};

const unsaved: Refusal = {
  ok: false,
  status: 503,
  error: "This can't be saved at the moment. Please try again shortly.",
  retryAfterSeconds: 5,
};

/** The longest message with every character as `\uXXXX`. */
export const bodyMaxBytes = 96 * 1024;

/** `/functions/v1`: a JSON object by POST. A refusal is `{ error, fields? }`, with nothing written. */
export function createFunctions(options: FunctionsOptions): Hono<{ Bindings: RequestOrigin }> {
  const { log, mailEventsSecret } = options;
  const limiter = createSubmissionLimiter(options.submissionLimits);
  const functions: Record<string, Run> = {
    "newsletter-signup": newsletterSignup(options, limiter),
    "newsletter-confirm": newsletterConfirm(options),
    "newsletter-unsubscribe": newsletterUnsubscribe(options),
    "send-contact-email": sendContactEmail(options, limiter),
    ...(mailEventsSecret && { "mail-events": mailEvents(options, mailEventsSecret) }),
  };
  const routes = new Hono<{ Bindings: RequestOrigin }>();
  routes.use((c, next) => {
    c.header("cache-control", "no-store");
    return next();
  });
  for (const [name, run] of Object.entries(functions)) {
    const refuse = (
      c: Context,
      status: Refusal["status"] | 413,
      error: string,
      fields?: Refusal["fields"],
    ) => {
      const body = { error, fields };
      return c.json(name === "send-contact-email" ? body : { success: false, ...body }, status);
    };
    const limit = bodyLimit({
      maxSize: bodyMaxBytes,
      onError(c) {
        // The unread body blocks the connection.
        c.header("connection", "close");
        return refuse(c, 413, `The body is larger than ${bodyMaxBytes / 1024} KB.`);
      },
    });
    routes.post(`/${name}`, limit, async (c) => {
      const { clientAddress = null, requestId = null } = c.env ?? {};
      const { headers, url } = c.req.raw;
      const read = readJsonObject(await c.req.arrayBuffer());
      const answer = read.ok
        ? await runLogged(name, run, { ...read, headers, url, clientAddress, requestId })
        : read;
      if (answer.ok) return c.json(answer.body);
      const { status, error, fields, retryAfterSeconds } = answer;
      if (retryAfterSeconds) c.header("retry-after", String(retryAfterSeconds));
      return refuse(c, status, error, fields);
    });
  }
  routes.onError((error) => {
    throw error;
  });
  return routes;

  async function runLogged(name: string, run: Run, call: Call): Promise<Answer> {
    const { requestId } = call;
    try {
      if (options.isClosed?.()) return unsaved;
      const answer = await run(call);
      const refused = !answer.ok && (answer.status === 429 ? "limited" : "refused");
      log.info({ requestId, function: name, outcome: refused || "taken" }, "Function answered");
      return answer;
    } catch (err) {
      log.error({ err, requestId, function: name }, "A function failed");
      return unsaved;
    }
  }
}

/** Supabase's client sends text as `text/plain` and a Blob as `application/octet-stream`. */
function readJsonObject(
  bytes: ArrayBuffer,
): ({ ok: true } & Pick<Call, "body" | "text">) | Refusal {
  try {
    // `Request.json()` would replace invalid UTF-8.
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

/** `webhookUrl` is only compared with the operator's own; no other address is ever called. */
const newsletterSignupSchema = v.object({
  email: v.string("email must be text."),
  webhookUrl: v.optional(v.nullable(v.string("webhookUrl must be text."))),
});

/** `newsletter-signup`: `{ email, webhookUrl? }` → `{ success, duplicate, message }`. */
function newsletterSignup(options: FunctionsOptions, limiter: SubmissionLimiter): Run {
  return async ({ body, headers, url, clientAddress, requestId }) => {
    // The visitor gets a message, not a broken call.
    const email = typeof body.email === "string" ? body.email.toWellFormed() : body.email;
    const read = readFields(newsletterSignupSchema, { webhookUrl: body.webhookUrl, email });
    if (!read.ok) return read;
    const { webhookUrl } = read.values;
    const address = readAddress(read.values.email);
    if (address === null) return invalidAddress;
    const waitSeconds = limiter.take("signUp", { clientAddress, email: address });
    if (waitSeconds > 0) return tooMany("signUp", waitSeconds);
    if (webhookUrl && webhookUrl !== options.newsletterWebhookUrl) {
      // A visitor may have typed a secret.
      options.log.warn(
        { requestId },
        "A sign-up named a webhook that is not the configured one; it is ignored",
      );
    }
    const { suspicion, wordingHash } = readEvidence(headers);
    const result = await subscribe(options, {
      email: address,
      referrer: headers.get("referer"),
      requestUrl: url,
      clientAddress,
      requestId,
      suspicion,
      wordingHash,
    });
    if (!result.ok) return invalidAddress;
    const { duplicate } = result;
    const message = duplicate ? words.duplicate : words.subscribed;
    return { ok: true, body: { success: true, duplicate, message } };
  };
}

const invalidAddress: Answer = {
  ok: true,
  body: { success: false, duplicate: false, message: words.invalidAddress },
};

function tooMany(form: SubmissionKind, retryAfterSeconds: number): Refusal {
  const what = form === "signUp" ? "sign-ups" : "messages";
  const error = `Too many ${what} in a short time. Try again in ${retryAfterSeconds} seconds.`;
  return { ok: false, status: 429, error, retryAfterSeconds };
}

/** `send-contact-email`: the seven fields → `{ success: true }`. An `Idempotency-Key` makes one message. */
function sendContactEmail(options: FunctionsOptions, limiter: SubmissionLimiter): Run {
  return async ({ body, headers, clientAddress, requestId }) => {
    const idempotencyKey = headers.get("idempotency-key");
    if (idempotencyKey !== null && !idempotencyKeyShape.test(idempotencyKey)) {
      const error = "Idempotency-Key has to be 1 to 200 visible ASCII characters.";
      return { ok: false, status: 400, error };
    }
    const read = readFields(contactMessageSchema, body);
    if (!read.ok) return read;
    const message = read.values;
    const sender = { clientAddress, email: message.email };
    const waitSeconds = limiter.take("message", sender);
    if (waitSeconds > 0 && !(await isRepeat(options, message, idempotencyKey))) {
      return tooMany("message", waitSeconds);
    }
    const { suspicion, openForMs, fromPage, fromIssue } = readEvidence(headers);
    const { repeated } = await submitMessage(options, message, {
      idempotencyKey,
      clientAddress,
      requestId,
      suspicion,
      isQuick: openForMs < leastOpenForMs,
      fromPage,
      fromIssue,
    });
    if (repeated && waitSeconds === 0) limiter.giveBack("message", sender);
    return { ok: true, body: { success: true } };
  };
}

/** Faster forms are mostly programs'; their mail says so. */
export const leastOpenForMs = 1_500;

/** Respects Do Not Track and Global Privacy Control. */
export function mayBeCounted(headers: Headers): boolean {
  return headers.get("dnt") !== "1" && headers.get("sec-gpc") !== "1";
}

function readEvidence(headers: Headers) {
  const parts = (headers.get(formEvidenceHeader) ?? "").split(";").map((part) => part.trim());
  const found = (shape: RegExp) => parts.map((part) => shape.exec(part)?.[1]).find(Boolean);
  const isCounted = mayBeCounted(headers);
  return {
    suspicion: parts.includes("honeypot") ? ("hidden_field" as const) : null,
    openForMs: Number(found(/^open-for-ms=(\d{1,15})$/) ?? Number.POSITIVE_INFINITY),
    wordingHash: found(/^wording=([0-9a-f]{64})$/),
    fromPage: isCounted ? found(/^from=(\/[a-z0-9/-]{0,100})$/) : undefined,
    fromIssue: isCounted ? Number(found(/^issue=([1-9]\d{0,8})$/) ?? 0) : 0,
  };
}

const mailLinkSchema = v.object({
  token: v.pipe(
    v.string("token must be text."),
    v.nonEmpty("token is required."),
    v.maxLength(
      mailLinkTokenMaxLength,
      `token is longer than ${mailLinkTokenMaxLength} characters.`,
    ),
  ),
  way: v.optional(v.picklist(["link", "one_click"], "way is link or one_click.")),
});

/** `newsletter-confirm`: `{ token }` → `{ success, reason?, message }`; reason `unknown_token` or `unsubscribed`. */
function newsletterConfirm(options: NewsletterDeps): Run {
  const { confirmed, unknownLink, alreadyLeft } = words;
  const messages = { confirmed, unknown_token: unknownLink, unsubscribed: alreadyLeft };
  return followMailLink(options, async (link) => {
    const result = await confirmSubscription(options, link);
    return { ...result, message: messages[result.ok ? "confirmed" : result.reason] };
  });
}

/** `newsletter-unsubscribe`: `{ token }` → `{ success, reason?, message }`; the only reason is `unknown_token`. */
function newsletterUnsubscribe(options: NewsletterDeps): Run {
  return followMailLink(options, async (link) => {
    const result = await unsubscribe(options, link);
    const unknown = words.unknownLeavingLink(options.site.email);
    return { ...result, message: result.ok ? words.unsubscribed : unknown };
  });
}

type MailLink = v.InferOutput<typeof mailLinkSchema> & { requestId: string | null };

function followMailLink(
  { site }: NewsletterDeps,
  follow: (link: MailLink) => Promise<{ ok: boolean; reason?: string; message: string }>,
): Run {
  return async ({ body, requestId }) => {
    const read = readFields(mailLinkSchema, body);
    if (!read.ok) return read;
    const { ok, reason, message } = await follow({ ...read.values, requestId });
    return { ok: true, body: { success: ok, reason, message: named(site, message) } };
  };
}

/** 400 for a wrong type, 422 for a broken rule, with each field's first fault. */
function readFields<Schema extends v.GenericSchema<unknown, Record<string, unknown>>>(
  schema: Schema,
  body: Record<string, unknown>,
): { ok: true; values: v.InferOutput<Schema> } | Refusal {
  const { success, output, issues = [] } = v.safeParse(schema, body);
  if (success) return { ok: true, values: output };
  const fields: Record<string, string> = {};
  for (const { path, input, message } of issues) {
    const name = String(path?.[0]?.key);
    fields[name] ??= input === undefined ? `${name} is required.` : message;
  }
  return issues.some(({ kind, input }) => kind === "schema" && input !== undefined)
    ? { ok: false, status: 400, error: "A field has the wrong type.", fields }
    : { ok: false, status: 422, error: "A field is missing or invalid.", fields };
}
