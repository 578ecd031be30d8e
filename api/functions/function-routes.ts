import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Logger } from "pino";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { NewsletterDeps } from "#newsletter/newsletter-deps.ts";
import { createMemoryLimiter } from "../limits/memory-limiter.ts";
import { createPostgresLimiter } from "../limits/postgres-limiter.ts";
import type { SubmissionLimiter } from "../limits/submission-limiter.ts";
import { type SubmissionLimits, submissionLimits } from "../limits/submission-limits.ts";
import type { BackendFunction, FunctionAnswer } from "./backend-function.ts";
import type { FunctionName, FunctionOutcome } from "./function-names.ts";
import { mailEvents } from "./mail-events.ts";
import { newsletterConfirm } from "./newsletter-confirm.ts";
import { newsletterSignup } from "./newsletter-signup.ts";
import { newsletterUnsubscribe } from "./newsletter-unsubscribe.ts";
import { readJsonObject } from "./read-json-object.ts";
import { sendContactEmail } from "./send-contact-email.ts";

const allowedMethods = ["POST", "OPTIONS"];
const corsMaxAgeSeconds = 24 * 60 * 60;
const retryAfterSeconds = 5;

export type FunctionRoutesOptions = NewsletterDeps & {
  log: Logger;
  /** Other limits than the product's own, for a harness that sends more than people do. */
  submissionLimits?: SubmissionLimits;
  /** What mail services sign their events with; without it they aren't answered. */
  mailEventsSecret?: string | null;
  /** Told how each call of a function ended, for counting. */
  onFunctionAnswer?: (name: string, outcome: FunctionOutcome) => void;
};

/**
 * The functions of the backend, for mounting at `/functions/v1`. Each takes a JSON object by POST and answers JSON; a
 * refusal is `{ error, fields? }` with the status that says why, and nothing has been written then.
 */
export function createFunctionRoutes(
  options: FunctionRoutesOptions,
): Hono<{ Bindings: RequestOrigin }> {
  const limiter = createSubmissionLimiter(options);
  const { mailEventsSecret } = options;
  const byName: Record<FunctionName, BackendFunction | null> = {
    "newsletter-signup": newsletterSignup(options, limiter),
    "newsletter-confirm": newsletterConfirm(options),
    "newsletter-unsubscribe": newsletterUnsubscribe(options),
    "send-contact-email": sendContactEmail(options, limiter),
    "mail-events": mailEventsSecret ? mailEvents(options, mailEventsSecret) : null,
  };
  const functions = new Map(Object.entries(byName));
  const routes = new Hono<{ Bindings: RequestOrigin }>();

  // Any origin, as at a hosted project: no function reads a cookie.
  routes.options(
    "*",
    cors({
      origin: "*",
      allowMethods: allowedMethods,
      allowHeaders: [
        "authorization",
        "x-client-info",
        "apikey",
        "content-type",
        "x-retry-count",
        "idempotency-key",
      ],
      maxAge: corsMaxAgeSeconds,
    }),
  );

  // The same for answers. Hono's own makes a response to put them on, whose headers are then copied twice for each call.
  routes.use(async (c, next) => {
    c.header("access-control-allow-origin", "*");
    c.header("access-control-expose-headers", "retry-after");
    c.header("cache-control", "no-store");
    await next();
  });

  routes.all("/:name", async (c) => {
    const name = c.req.param("name");
    const called = functions.get(name);
    if (!called) return notFound(c);
    if (c.req.method !== "POST") {
      return c.json({ ...called.refusalShape, error: "Only POST is answered here." }, 405, {
        allow: allowedMethods.join(", "),
      });
    }
    const read = await readJsonObject(c.req.raw);
    if (!read.ok) {
      // What is left of such a body is not waited for, so nothing after it on the connection can be answered.
      if (read.status === 408 || read.status === 413) c.header("connection", "close");
      return c.json({ ...called.refusalShape, error: read.error }, read.status);
    }
    const requestId = c.env?.requestId ?? null;
    try {
      const answer = await called.run({
        body: read.body,
        text: read.text,
        headers: c.req.raw.headers,
        url: c.req.url,
        clientAddress: c.env?.clientAddress ?? null,
        requestId,
      });
      const outcome = outcomeOf(answer);
      options.log.info({ requestId, function: name, outcome }, "Function answered");
      options.onFunctionAnswer?.(name, outcome);
      if (answer.ok) return c.json(answer.body);
      const { status, error, fields, retryAfterSeconds: waitSeconds } = answer;
      if (waitSeconds) c.header("retry-after", String(waitSeconds));
      return c.json({ ...called.refusalShape, error, fields }, status);
    } catch (err) {
      options.log.error({ err, requestId, function: name }, "A function failed");
      options.onFunctionAnswer?.(name, "failed");
      const error = "This can't be saved at the moment. Please try again shortly.";
      return c.json({ ...called.refusalShape, error }, 503, {
        "retry-after": String(retryAfterSeconds),
      });
    }
  });
  routes.all("*", notFound);
  return routes;
}

/**
 * Counts submissions by mailbox, by network address and, past an address's first, overall. With PostgreSQL the counts
 * are in the database, so that several copies of the server share them; on SQLite, which one server writes, in memory,
 * so that counting costs no write. Addresses are counted under a keyed hash and never stored as they are.
 */
function createSubmissionLimiter({
  db,
  submissionLimits: limits = submissionLimits,
}: FunctionRoutesOptions): SubmissionLimiter {
  return isPostgres(db) ? createPostgresLimiter(db, limits) : createMemoryLimiter(limits);
}

function outcomeOf(answer: FunctionAnswer): FunctionOutcome {
  if (answer.ok) return "taken";
  return answer.status === 429 ? "limited" : "refused";
}

// An object: Supabase's clients take a 404 with an empty body or a list for a success.
function notFound(c: Context) {
  return c.json({ code: "NOT_FOUND", message: "Requested function was not found" }, 404);
}
