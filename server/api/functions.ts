import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import type { Logger } from "pino";
import * as v from "valibot";
import {
  type CallFormFunction,
  defaultRetrySeconds,
  type FormSender,
  formEvidenceHeader,
  idempotencyKeyShape,
  mailLinkTokenMaxLength,
} from "#app/ports.ts";
import { isRepeat, submitMessage } from "#contact/messages.ts";
import { contactMessageSchema } from "#content/contact-message.ts";
import { named } from "#content/own-words.ts";
import type { RequestOrigin } from "#content/site-settings.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import type { NewsletterDeps } from "#newsletter/subscribers/subscribe.ts";
import { confirmSubscription, subscribe, unsubscribe } from "#newsletter/subscribers/subscribe.ts";
import {
  createSubmissionLimiter,
  type SubmissionKind,
  type SubmissionLimiter,
  type SubmissionLimits,
} from "./limits.ts";
import { mailEvents } from "./mail-events.ts";

export const functionNames = [
  "newsletter-signup",
  "newsletter-confirm",
  "newsletter-unsubscribe",
  "send-contact-email",
  "mail-events",
] as const;

type FunctionName = (typeof functionNames)[number];

export const functionOutcomes = ["taken", "refused", "limited", "failed"] as const;

type FunctionOutcome = (typeof functionOutcomes)[number];

export type FunctionsOptions = NewsletterDeps & {
  log: Pick<Logger, "info" | "warn" | "error">;
  submissionLimits?: SubmissionLimits;
  /** Null turns `mail-events` off. */
  mailEventsSecret?: string | null;
  onFunctionAnswer?: (name: string, outcome: FunctionOutcome) => void;
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
  cause?: unknown;
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
  badIdempotencyKey: "Idempotency-Key has to be 1 to 200 visible ASCII characters.",
  unsaved: "This can't be saved at the moment. Please try again shortly.",
};

export type Functions = ReturnType<typeof createFunctions>;

export function createFunctions(options: FunctionsOptions) {
  const { log, onFunctionAnswer, mailEventsSecret } = options;
  const limiter = createSubmissionLimiter(options.db, options.submissionLimits);
  const byName: Record<FunctionName, Run | null> = {
    "newsletter-signup": newsletterSignup(options, limiter),
    "newsletter-confirm": newsletterConfirm(options),
    "newsletter-unsubscribe": newsletterUnsubscribe(options),
    "send-contact-email": sendContactEmail(options, limiter),
    "mail-events": mailEventsSecret ? mailEvents(options, mailEventsSecret) : null,
  };
  return {
    has: (name: string): name is FunctionName =>
      Object.hasOwn(byName, name) && byName[name as FunctionName] !== null,
    async run(name: FunctionName, call: Call): Promise<Answer> {
      const { requestId } = call;
      try {
        const run = byName[name];
        if (!run) throw new Error(`There is no function ${name}.`);
        if (options.isClosed?.()) return unsaved;
        const answer = await run(call);
        const outcome = outcomeOf(answer);
        log.info({ requestId, function: name, outcome }, "Function answered");
        onFunctionAnswer?.(name, outcome);
        return answer;
      } catch (cause) {
        log.error({ err: cause, requestId, function: name }, "A function failed");
        onFunctionAnswer?.(name, "failed");
        return { ...unsaved, cause };
      }
    },
  };
}

const unsaved = { ok: false, status: 503, error: words.unsaved, retryAfterSeconds: 5 } as const;

function outcomeOf(answer: Answer): FunctionOutcome {
  if (answer.ok) return "taken";
  return answer.status === 429 ? "limited" : "refused";
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
    const taken = await limiter.take("signUp", { clientAddress, email: address });
    if (!taken.ok) return tooMany("signUp", taken.retryAfterSeconds);
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

/**
 * `send-contact-email`: the seven fields → `{ success: true }`. The same `Idempotency-Key` and
 * words make one message.
 */
function sendContactEmail(options: FunctionsOptions, limiter: SubmissionLimiter): Run {
  return async ({ body, headers, clientAddress, requestId }) => {
    const idempotencyKey = headers.get("idempotency-key");
    if (idempotencyKey !== null && !idempotencyKeyShape.test(idempotencyKey)) {
      return { ok: false, status: 400, error: words.badIdempotencyKey };
    }
    const read = readFields(contactMessageSchema, body);
    if (!read.ok) return read;
    const message = read.values;
    const taken = await limiter.take("message", { clientAddress, email: message.email });
    if (!taken.ok && !(await isRepeat(options, message, idempotencyKey))) {
      return tooMany("message", taken.retryAfterSeconds);
    }
    const { suspicion, openForMs, fromPage } = readEvidence(headers);
    const { repeated } = await submitMessage(options, message, {
      idempotencyKey,
      clientAddress,
      requestId,
      suspicion,
      isQuick: openForMs < leastOpenForMs,
      fromPage,
    });
    if (repeated && taken.ok) await taken.giveBack();
    return { ok: true, body: { success: true } };
  };
}

/** Faster forms are mostly programs'; their mail says so. */
export const leastOpenForMs = 1_500;

function readEvidence(headers: Headers) {
  const parts = (headers.get(formEvidenceHeader) ?? "").split(";").map((part) => part.trim());
  const found = (shape: RegExp) => parts.map((part) => shape.exec(part)?.[1]).find(Boolean);
  const mayBeCounted = headers.get("dnt") !== "1" && headers.get("sec-gpc") !== "1";
  return {
    suspicion: parts.includes("honeypot") ? ("hidden_field" as const) : null,
    openForMs: Number(found(/^open-for-ms=(\d{1,15})$/) ?? Number.POSITIVE_INFINITY),
    wordingHash: found(/^wording=([0-9a-f]{64})$/),
    fromPage: mayBeCounted ? found(/^from=(\/[a-z0-9/-]{0,100})$/) : undefined,
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
  const parsed = v.safeParse(schema, body);
  const fields: Record<string, string> = {};
  for (const issue of parsed.issues ?? []) {
    const name = String(issue.path?.[0]?.key);
    fields[name] ??= issue.input === undefined ? `${name} is required.` : issue.message;
  }
  if (parsed.issues?.some(({ kind, input }) => kind === "schema" && input !== undefined)) {
    return { ok: false, status: 400, error: "A field has the wrong type.", fields };
  }
  // Neither database can store lone surrogates.
  for (const [name, value] of parsed.success ? Object.entries(parsed.output) : []) {
    if (typeof value === "string" && !value.isWellFormed())
      fields[name] = `${name} contains characters that can't be stored.`;
  }
  return parsed.success && Object.keys(fields).length === 0
    ? { ok: true, values: parsed.output }
    : { ok: false, status: 422, error: "A field is missing or invalid.", fields };
}

/** The longest message with every character as `\uXXXX`. */
export const bodyMaxBytes = 96 * 1024;

/** As at Supabase: nothing here reads a cookie. */
export const allowAnyOrigin = cors({
  origin: "*",
  exposeHeaders: ["Content-Range", "Content-Encoding", "Retry-After"],
  maxAge: 24 * 60 * 60,
});

type Env = { Bindings: RequestOrigin; Variables: { name: FunctionName } };

/** `/functions/v1`: a JSON object by POST. A refusal is `{ error, fields? }`, with nothing written. */
export function createFunctionRoutes(functions: Functions): Hono<Env> {
  const routes = new Hono<Env>();
  routes.all(
    "/:name",
    async (c, next) => {
      const name = c.req.param("name");
      if (!functions.has(name)) return notFound(c);
      c.header("cache-control", "no-store");
      c.set("name", name);
      if (c.req.method === "POST") return await next();
      c.header("allow", "POST, OPTIONS");
      return c.json(refusalBody(name, "Only POST is answered here."), 405);
    },
    bodyLimit({
      maxSize: bodyMaxBytes,
      onError: (c: Context<Env>) => {
        // The unread body blocks the connection.
        c.header("connection", "close");
        const error = `The body is larger than ${bodyMaxBytes / 1024} KB.`;
        return c.json(refusalBody(c.var.name, error), 413);
      },
    }),
    async (c) => {
      const { name } = c.var;
      const read = readJsonObject(await c.req.arrayBuffer());
      if (!read.ok) return c.json(refusalBody(name, read.error), 400);
      const { body, text } = read;
      const { clientAddress = null, requestId = null } = c.env ?? {};
      const { headers, url } = c.req.raw;
      const call = { body, text, headers, url, clientAddress, requestId };
      const answer = await functions.run(name, call);
      if (answer.ok) return c.json(answer.body);
      const { status, error, fields, retryAfterSeconds } = answer;
      if (retryAfterSeconds) c.header("retry-after", String(retryAfterSeconds));
      return c.json(refusalBody(name, error, fields), status);
    },
  );
  routes.all("*", notFound);

  routes.onError((error, c) => {
    // The client hung up.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
    throw error;
  });
  return routes;
}

/** Supabase's client sends text as `text/plain` and a Blob as `application/octet-stream`. */
function readJsonObject(bytes: ArrayBuffer) {
  try {
    // `Request.json()` would replace invalid UTF-8.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) {
      return { ok: true, body: body as Record<string, unknown>, text } as const;
    }
    return { ok: false, error: "The body has to be a JSON object." } as const;
  } catch {
    return { ok: false, error: "The body is not valid JSON." } as const;
  }
}

function refusalBody(name: FunctionName, error: string, fields?: Record<string, string>) {
  return name === "send-contact-email" ? { error, fields } : { success: false, error, fields };
}

// An object: Supabase's clients take other 404s for success.
function notFound(c: Context) {
  const body = { code: "NOT_FOUND", message: "Requested function was not found" };
  return c.json(body, 404, { "cache-control": "no-store" });
}

export function callsInProcess(
  functions: Functions,
  siteUrl: string,
  { page, clientAddress, requestId = "" }: FormSender,
): CallFormFunction {
  return async (name, body, headers) => {
    const answer = await functions.run(name, {
      body: { ...body },
      text: "",
      headers: new Headers({ ...headers, Referer: page }),
      url: siteUrl,
      clientAddress,
      requestId: requestId || null,
    });
    if (answer.ok) return { ok: true, data: answer.body };
    const { status, retryAfterSeconds = defaultRetrySeconds, cause } = answer;
    const error = cause ?? new Error(answer.error);
    if (status !== 429 && status !== 503)
      return { ok: false, reason: "function_error", isRefusal: true, error };
    const reason = status === 429 ? "rate_limited" : "unavailable";
    return { ok: false, reason, retryAfterSeconds, error };
  };
}
