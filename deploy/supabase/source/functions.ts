import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import pg from "pg";
import { allowCalls, bodyMaxBytes, bodyTooLarge, readJsonObject } from "#api/function-call.ts";
import { createClientAddressReader } from "#server/client-address.ts";
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

/** A project's pool is small, and an instance answers few requests at once. */
const maxConnections = 2;
const statementTimeoutMs = 5_000;

/** Supabase's runtime lets work continue after the answer. */
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

/**
 * The two forms and the links in mail as functions of a hosted project: the site's own rules and mails over the tables
 * of `db/migrations/`. Every answer is followed by sending due outbox jobs and deleting old counts; a GET, from the
 * project's timer, does only that.
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

  const app = new Hono();
  app.use(allowCalls, async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
    const tidied = tidy(deps);
    if (typeof EdgeRuntime === "undefined") await tidied;
    else EdgeRuntime.waitUntil(tidied);
  });
  app.on(
    ["GET", "POST"],
    "*",
    bodyLimit({
      maxSize: bodyMaxBytes,
      onError: (c) => c.json(refusal(413, bodyTooLarge).body, 413),
    }),
    async (c) => {
      const run = functions[c.req.path.split("/").at(-1) ?? ""];
      if (!run) return c.json(refusal(404, "There is no such function.").body, 404);
      if (c.req.method === "GET") return c.json({ success: true });
      const read = await readJsonObject(c.req);
      if (!read.ok) return c.json(refusal(read.status, read.error).body, read.status);
      const { headers } = c.req.raw;
      const call = { ...deps, body: read.body, headers, visitor: readVisitor(headers) };
      const { status, body, retryAfterSeconds } = await run(call);
      if (retryAfterSeconds) c.header("Retry-After", String(retryAfterSeconds));
      return c.json(body, status);
    },
  );
  app.all("*", (c) => c.json(refusal(405, "Only POST is answered here.").body, 405));
  app.onError((error, c) => {
    console.error(`A function failed: ${error.message}`);
    c.header("Retry-After", String(failure.retryAfterSeconds));
    return c.json(failure.body, failure.status);
  });

  return { answer: (request: Request) => app.fetch(request), close: () => pool.end() };
}

async function tidy(deps: Deps): Promise<void> {
  try {
    await deliverWaiting(deps);
    await forgetPastCounts(deps.pool);
  } catch (error) {
    console.error(`The database can't be read: ${error instanceof Error ? error.message : ""}`);
  }
}

/**
 * Reads the visitor's address. The gateway names the peer in `CF-Connecting-IP`, or last in `X-Forwarded-For`. If the
 * peer is a trusted proxy, such as the site's server, the address before it counts, as for the site's own proxies.
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
