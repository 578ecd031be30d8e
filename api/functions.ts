import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "pino";
import { Webhook } from "standardwebhooks";
import * as v from "valibot";
import { isRepeat, submitMessage } from "#contact/messages.ts";
import { isQuick, suspicionOf } from "#contact/quarantine.ts";
import { named } from "#content/own-words.ts";
import { contactMessageSchema } from "#contracts/contact-message.ts";
import { newsletterSignupSchema } from "#contracts/newsletter.ts";
import {
  formEvidenceHeader,
  idempotencyKeyShape,
  mailLinkTokenMaxLength,
  readFormEvidence,
} from "#contracts/ports.ts";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import { priorityOf } from "#mail/outbox-jobs.ts";
import { readMailEvents, recordMailEvents } from "#newsletter/bounces/mail-events.ts";
import { unsubscribe } from "#newsletter/leave.ts";
import type { NewsletterDeps } from "#newsletter/subscribe.ts";
import { confirmSubscription, subscribe } from "#newsletter/subscribe.ts";
import {
  allowCalls,
  answerWords,
  bodyMaxBytes,
  bodyTooLarge,
  type Refusal,
  readFields,
  readJsonObject,
  tooMany,
} from "./function-call.ts";
import { createSubmissionLimiter, type SubmissionLimiter } from "./limiter.ts";
import type { SubmissionLimits } from "./limits.ts";

/** The names under `/functions/v1`. */
export const functionNames = [
  "newsletter-signup",
  "newsletter-confirm",
  "newsletter-unsubscribe",
  "send-contact-email",
  "mail-events",
] as const;

export type FunctionName = (typeof functionNames)[number];

/** `limited` is answered with 429. */
export const functionOutcomes = ["taken", "refused", "limited", "failed"] as const;

export type FunctionOutcome = (typeof functionOutcomes)[number];

export type FunctionsOptions = NewsletterDeps & {
  log: Logger;
  submissionLimits?: SubmissionLimits;
  /** The signing secret of the mail services; null turns `mail-events` off. */
  mailEventsSecret?: string | null;
  /** For the metrics. */
  onFunctionAnswer?: (name: string, outcome: FunctionOutcome) => void;
};

type Call = {
  body: Record<string, unknown>;
  /** The raw body, for a signature. */
  text: string;
  headers: Headers;
  url: string;
  clientAddress: string | null;
  /** For the log. */
  requestId: string | null;
};

type Answer = { ok: true; body: Record<string, unknown> } | Refusal;

type Run = (call: Call) => Promise<Answer>;

export type Functions = {
  has(name: string): name is FunctionName;
  /** Runs a function, logs and counts the outcome, and turns a failure into a refusal. */
  run(name: FunctionName, call: Call): Promise<Answer>;
};

/** The functions, for the wire and for the site's own forms. */
export function createFunctions(options: FunctionsOptions): Functions {
  const limiter = createSubmissionLimiter(options.db, options.submissionLimits);
  const byName: Record<FunctionName, Run | null> = {
    "newsletter-signup": newsletterSignup(options, limiter),
    "newsletter-confirm": newsletterConfirm(options),
    "newsletter-unsubscribe": newsletterUnsubscribe(options),
    "send-contact-email": sendContactEmail(options, limiter),
    "mail-events": options.mailEventsSecret ? mailEvents(options, options.mailEventsSecret) : null,
  };
  return {
    has: (name): name is FunctionName =>
      Object.hasOwn(byName, name) && byName[name as FunctionName] !== null,
    async run(name, call) {
      const { requestId } = call;
      try {
        const run = byName[name];
        if (!run) throw new Error(`There is no function ${name}.`);
        const answer = await run(call);
        const outcome = outcomeOf(answer);
        options.log.info({ requestId, function: name, outcome }, "Function answered");
        options.onFunctionAnswer?.(name, outcome);
        return answer;
      } catch (cause) {
        options.log.error({ err: cause, requestId, function: name }, "A function failed");
        options.onFunctionAnswer?.(name, "failed");
        return { ok: false, status: 503, error: answerWords.unsaved, retryAfterSeconds: 5, cause };
      }
    },
  };
}

type Env = { Bindings: RequestOrigin; Variables: { name: FunctionName } };

/**
 * Routes for `/functions/v1`. Each takes a JSON object by POST and answers JSON; a refusal is `{ error, fields? }` with
 * its status, and nothing has been written.
 */
export function createFunctionRoutes(functions: Functions): Hono<Env> {
  const routes = new Hono<Env>();

  routes.use(allowCalls, async (c, next) => {
    c.header("cache-control", "no-store");
    await next();
  });

  routes.all(
    "/:name",
    async (c, next) => {
      const name = c.req.param("name");
      if (!functions.has(name)) return notFound(c);
      c.set("name", name);
      if (c.req.method === "POST") return await next();
      c.header("allow", "POST, OPTIONS");
      return c.json(refusalBody(name, "Only POST is answered here."), 405);
    },
    bodyLimit({
      maxSize: bodyMaxBytes,
      onError: (c: Context<Env>) => {
        // The rest of the body isn't read, so the connection can't be reused.
        c.header("connection", "close");
        return c.json(refusalBody(c.var.name, bodyTooLarge), 413);
      },
    }),
    async (c) => {
      const { name } = c.var;
      const read = await readJsonObject(c.req);
      if (!read.ok) return c.json(refusalBody(name, read.error), read.status);
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
    // The client hung up; nothing failed here.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
    throw error;
  });
  return routes;
}

/** `{ error, fields? }`, and `success: false` where answers say `success`. */
function refusalBody(name: FunctionName, error: string, fields?: Record<string, string>) {
  return name === "send-contact-email" ? { error, fields } : { success: false, error, fields };
}

function outcomeOf(answer: Answer): FunctionOutcome {
  if (answer.ok) return "taken";
  return answer.status === 429 ? "limited" : "refused";
}

// An object: Supabase's clients take a 404 with an empty body or a list for a success.
function notFound(c: Context) {
  return c.json({ code: "NOT_FOUND", message: "Requested function was not found" }, 404);
}

/** `newsletter-signup`: `{ email, webhookUrl? }` → `{ success, duplicate, message }`. */
function newsletterSignup(options: FunctionsOptions, limiter: SubmissionLimiter): Run {
  return async ({ body, headers, url, clientAddress, requestId }) => {
    // An invalid address is answered with a message for the visitor, not as a broken call.
    const email = typeof body.email === "string" ? body.email.toWellFormed() : body.email;
    const read = readFields(newsletterSignupSchema, { webhookUrl: body.webhookUrl, email });
    if (!read.ok) return read;
    const { webhookUrl } = read.values;
    const address = readAddress(read.values.email);
    // Not counted, so that a mistake uses up nobody's limit.
    if (address === null) return invalidAddress;
    const taken = await limiter.take("signUp", { clientAddress, email: address });
    if (!taken.ok) return tooMany("signUp", taken.retryAfterSeconds);
    if (webhookUrl && webhookUrl !== options.newsletterWebhookUrl) {
      // The address itself isn't logged: a visitor may have typed a secret.
      options.log.warn(
        { requestId },
        "A sign-up named a webhook that is not the configured one; it is ignored",
      );
    }
    const evidence = readFormEvidence(headers.get(formEvidenceHeader));
    const result = await subscribe(options, {
      email: address,
      referrer: headers.get("referer"),
      requestUrl: url,
      clientAddress,
      requestId,
      suspicion: suspicionOf(evidence),
      wordingHash: evidence.wordingHash,
      priority: priorityOf(taken.nth),
    });
    if (!result.ok) return invalidAddress;
    const { duplicate } = result;
    const message = duplicate ? answerWords.duplicate : answerWords.subscribed;
    return { ok: true, body: { success: true, duplicate, message } };
  };
}

const invalidAddress: Answer = {
  ok: true,
  body: { success: false, duplicate: false, message: answerWords.invalidAddress },
};

/**
 * `send-contact-email`: the seven fields → `{ success: true }`. With an `Idempotency-Key` header, the same key and
 * words make one message, and a repeat is answered like the first call, even past a limit, and not counted.
 */
function sendContactEmail(options: FunctionsOptions, limiter: SubmissionLimiter): Run {
  return async ({ body, headers, clientAddress, requestId }) => {
    const idempotencyKey = headers.get("idempotency-key");
    if (idempotencyKey !== null && !idempotencyKeyShape.test(idempotencyKey)) {
      return { ok: false, status: 400, error: answerWords.badIdempotencyKey };
    }
    const read = readFields(contactMessageSchema, body);
    if (!read.ok) return read;
    const message = read.values;
    const taken = await limiter.take("message", { clientAddress, email: message.email });
    if (!taken.ok && !(await isRepeat(options, message, idempotencyKey))) {
      return tooMany("message", taken.retryAfterSeconds);
    }
    const evidence = readFormEvidence(headers.get(formEvidenceHeader));
    const { repeated } = await submitMessage(options, message, {
      idempotencyKey,
      clientAddress,
      requestId,
      suspicion: suspicionOf(evidence),
      isQuick: isQuick(evidence),
      priority: taken.ok ? priorityOf(taken.nth) : undefined,
    });
    if (repeated && taken.ok) await taken.giveBack();
    return { ok: true, body: { success: true } };
  };
}

/** The body of the functions behind mailed links. */
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
  const { confirmed, unknownLink, alreadyLeft } = answerWords;
  const words = { confirmed, unknown_token: unknownLink, unsubscribed: alreadyLeft };
  return async ({ body, requestId }) => {
    const read = readFields(mailLinkSchema, body);
    if (!read.ok) return read;
    const result = await confirmSubscription(options, { ...read.values, requestId });
    return mailLinkAnswer(
      result,
      named(options.site, words[result.ok ? "confirmed" : result.reason]),
    );
  };
}

/** `newsletter-unsubscribe`: `{ token }` → `{ success, reason?, message }`; the only reason is `unknown_token`. */
function newsletterUnsubscribe(options: NewsletterDeps): Run {
  return async ({ body, requestId }) => {
    const read = readFields(mailLinkSchema, body);
    if (!read.ok) return read;
    const result = await unsubscribe(options, { ...read.values, requestId });
    const { unsubscribed, unknownLeavingLink } = answerWords;
    const message = result.ok
      ? named(options.site, unsubscribed)
      : unknownLeavingLink(options.site.email);
    return mailLinkAnswer(result, message);
  };
}

function mailLinkAnswer(result: { ok: boolean; reason?: string }, message: string): Answer {
  return { ok: true, body: { success: result.ok, reason: result.reason, message } };
}

/**
 * `mail-events`: a mail service's signed bounces and complaints (Standard Webhooks specification) → `{ success,
 * recorded }`. Clocks may differ by five minutes, and a repeat changes nothing.
 */
function mailEvents({ db, clock }: NewsletterDeps, secret: string): Run {
  const webhook = new Webhook(secret);
  return async ({ body, text, headers }) => {
    const callId = genuineCallId(webhook, text, headers);
    if (callId === null) {
      return { ok: false, status: 401, error: "The signature is missing, wrong or too old." };
    }
    const events = readMailEvents(body);
    if (events === null) {
      return { ok: false, status: 422, error: "This is no bounce or complaint in a known form." };
    }
    const now = clock?.() ?? new Date();
    const recorded = await recordMailEvents(db, events, { callId, now });
    return { ok: true, body: { success: true, recorded } };
  };
}

/** The id of a signed call; null where the signature is wrong. Resend uses Svix's header names. */
function genuineCallId(webhook: Webhook, text: string, headers: Headers): string | null {
  const prefix = headers.has("webhook-id") ? "webhook-" : "svix-";
  const header = (name: string) => headers.get(prefix + name) ?? "";
  try {
    webhook.verify(text, {
      "webhook-id": header("id"),
      "webhook-timestamp": header("timestamp"),
      "webhook-signature": header("signature"),
    });
    return header("id");
  } catch {
    return null;
  }
}
