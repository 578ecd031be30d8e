import pg from "pg";
import { readJsonObject } from "#api/functions/read-json-object.ts";
import { createClientAddressReader } from "#server/listening/client-address.ts";
import { type Answer, type Call, type Deps, failure, refusal } from "./call.ts";
import { forgetPastCounts } from "./limits.ts";
import { confirm, signUp, unsubscribe } from "./newsletter.ts";
import { deliverWaiting } from "./outbox.ts";
import { sendContactEmail } from "./send-contact-email.ts";
import { readSettings } from "./settings.ts";

const functions: Record<string, (call: Call) => Promise<Answer>> = {
  "newsletter-signup": signUp,
  "newsletter-confirm": confirm,
  "newsletter-unsubscribe": unsubscribe,
  "send-contact-email": sendContactEmail,
};

/** A project's pool has few connections, and an instance of a function answers few requests at once. */
const maxConnections = 2;
const statementTimeoutMs = 5_000;

const headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "POST, OPTIONS",
  "Access-Control-Allow-Headers":
    "authorization, x-client-info, apikey, content-type, x-retry-count, idempotency-key, form-evidence",
  "Access-Control-Expose-Headers": "retry-after",
  "Access-Control-Max-Age": "86400",
  "Cache-Control": "no-store",
};

/** The runtime of Supabase's functions, which lets work go on after the answer. */
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

/**
 * The two forms and the links in mail as functions of a hosted project: the site's own rules, words and mails over the
 * tables of `db/migrations/`. What waits in the outbox is sent after every answer, and counts that are past are forgotten; a call by GET does
 * that and nothing else, for the project's own timer.
 */
export function createFunctions(env: Record<string, string | undefined>) {
  const settings = readSettings(env);
  const pool = new pg.Pool({
    connectionString: settings.databaseUrl,
    max: maxConnections,
    statement_timeout: statementTimeoutMs,
    allowExitOnIdle: true,
  });
  pool.on("error", () => {});
  const deps: Deps = { settings, pool };
  const readVisitor = createVisitorReader(settings.trustedProxies);

  async function answerCall(request: Request): Promise<Answer> {
    const run = functions[new URL(request.url).pathname.split("/").at(-1) ?? ""];
    if (!run) return refusal(404, "There is no such function.");
    if (request.method === "GET") return { status: 200, body: { success: true } };
    if (request.method !== "POST") return refusal(405, "Only POST is answered here.");
    const read = await readJsonObject(request);
    if (!read.ok) return refusal(read.status, read.error);
    try {
      const visitor = readVisitor(request.headers);
      return await run({ ...deps, body: read.body, headers: request.headers, visitor });
    } catch (error) {
      console.error(`A function failed: ${error instanceof Error ? error.message : "unknown"}`);
      return failure;
    }
  }

  return {
    async answer(request: Request): Promise<Response> {
      if (request.method === "OPTIONS") return new Response("ok", { headers });
      const { status, body, retryAfterSeconds } = await answerCall(request);
      const tidied = deliverWaiting(deps)
        .then(() => forgetPastCounts(pool))
        .catch((error: unknown) => {
          console.error(
            `The database can't be read: ${error instanceof Error ? error.message : ""}`,
          );
        });
      if (typeof EdgeRuntime === "undefined") await tidied;
      else EdgeRuntime.waitUntil(tidied);
      const retryAfter = retryAfterSeconds && { "Retry-After": String(retryAfterSeconds) };
      return Response.json(body, { status, headers: { ...headers, ...retryAfter } });
    },
    close: () => pool.end(),
  };
}

/**
 * Reads the visitor's address. Who connected is what the project's gateway says, in `CF-Connecting-IP` or last in
 * `X-Forwarded-For`; where that is a trusted proxy, such as the site's own server, what it wrote before itself is
 * believed, as the site itself believes its proxies.
 */
function createVisitorReader(
  trustedProxies: string[],
): (headers: Pick<Headers, "get">) => string | null {
  const read = createClientAddressReader(trustedProxies);
  return (headers) => {
    const hops = (headers.get("X-Forwarded-For") ?? "").split(",").map((hop) => hop.trim());
    const connected = headers.get("CF-Connecting-IP")?.trim() || (hops.at(-1) ?? "");
    const at = hops.lastIndexOf(connected);
    const before = at === -1 ? [] : hops.slice(0, at);
    return read({ socketAddress: connected || null, forwardedFor: before.join(",") });
  };
}
