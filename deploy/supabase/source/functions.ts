/// <reference types="vite/client" />
import { Hono } from "hono";
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { allowAnyOrigin, createFunctionRoutes, createFunctions } from "#api/functions.ts";
import { createClientAddressReader } from "#api/limits.ts";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { migrateToLatest, pendingMigrations } from "#db/migrate.ts";
import { openPostgres } from "#db/open-postgres.ts";
import type { Database } from "#db/tables.ts";
import { createMailers } from "#mail/create-mailer.ts";
import { createDeliverers } from "#mail/deliverers.ts";
import { createOutboxWorker } from "#mail/outbox.ts";
import { deleteExpired, isClockTrusted } from "#newsletter/retention.ts";
import { readConfig, siteSettings } from "#settings/settings.ts";

/** Supabase's runtime lets work continue after the answer. */
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

const needed: string[] = [
  ...["SITE_URL", "SITE_NAME", "SITE_EMAIL", "SITE_PHONE", "SITE_STREET", "SITE_POSTAL_CODE"],
  "SMTP_URL",
];
/** A project's pool is small, and an instance answers few requests at once. */
const maxConnections = 2;
/** Shorter than an instance may work after an answer. */
const deliveringMs = 60_000;

/** An error's own words may repeat a visitor's. */
const log = {
  info() {},
  warn: (...[, message]: unknown[]) => console.warn(message),
  error(...[about, message]: unknown[]) {
    const { err } = about as { err?: { code?: string; name?: string } };
    console.error(message, err?.code ?? err?.name);
  },
};

/**
 * The site's functions on the database of a hosted project. Each answer is followed by the delivery of what is due; a GET,
 * from the project's timer, also deletes what the privacy policy promises to delete.
 */
export function createHostedFunctions(env: Record<string, string | undefined>) {
  const { config, databaseUrl } = readSecrets(env);
  const { newsletterWebhookUrl, webhookSecret, contactTo, mailEventsSecret } = config;
  const site = siteSettings(config);
  const database = openPostgres(databaseUrl, { maxConnections });
  const { db } = database;
  const mailer = createMailers(config, site.url).desk;
  const webhook = newsletterWebhookUrl
    ? { url: newsletterWebhookUrl, secret: webhookSecret }
    : null;
  const deliverers = createDeliverers({ mailer, contactTo, site, webhook });
  const outbox = createOutboxWorker({ db, log, deliverers });
  const about = { db, log, site, newsletterWebhookUrl, mailEventsSecret };
  const routes = createFunctionRoutes(createFunctions({ ...about, wakeOutbox() {} }));
  const readVisitor = createVisitorReader(config.trustedProxies);
  let tables: Promise<void> | null = null;

  const app = new Hono<{ Bindings: RequestOrigin }>();
  app.use(allowAnyOrigin);
  app.get("*", (c) => {
    afterwards(deleteWhatExpired(db));
    return c.json({ success: true }, 200, { "Cache-Control": "no-store" });
  });
  // The platform passes the address with or without its beginning.
  for (const root of ["/functions/v1", "/"]) app.route(root, routes);

  return {
    async answer(request: Request): Promise<Response> {
      tables ??= makeTables(database);
      await tables.catch((err) => {
        tables = null;
        log.error({ err }, "The tables could not be made");
      });
      const response = await app.fetch(request, { clientAddress: readVisitor(request.headers) });
      afterwards(outbox.deliverDue(deliveringMs));
      return response;
    },
  };
}

function afterwards(work: Promise<unknown>): void {
  const done = work.catch((err) => log.error({ err }, "The work after an answer failed"));
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(done);
}

/** Settings from `supabase secrets set`, and the project's own database. Throws an error that names every mistake. */
function readSecrets({ SUPABASE_DB_URL = "", ...secrets }: Record<string, string | undefined>) {
  const read = readConfig(secrets);
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const missing = read.unset.filter(({ setting }) => needed.includes(setting));
  if (missing.length > 0) {
    throw new Error(missing.map(({ setting }) => `${setting} is not set.`).join("\n"));
  }
  const url = new URL(SUPABASE_DB_URL);
  url.searchParams.set("options", "-c search_path=site,public");
  return { config: read.config, databaseUrl: url.href };
}

/** Migrations look for the issues where they make tables, so a new project's are there while the first ones run. */
async function makeTables(database: OpenDatabase): Promise<void> {
  const files = import.meta.glob<Migration>("../../../db/migrations/*.ts", { eager: true });
  const migrations = Object.fromEntries(
    Object.entries(files).map(([file, one]) => [file.replace(/^.*\/|\.ts$/g, ""), one]),
  );
  const provider = { getMigrations: async () => migrations };
  const moveIssues = (from: string, to: string) =>
    sql`alter table if exists ${sql.id(from, "final_newsletters")} set schema ${sql.id(to)}`.execute(
      database.db,
    );
  const pending = await pendingMigrations(database, provider);
  try {
    if (pending.length === Object.keys(migrations).length) await moveIssues("public", "site");
    if (pending.length > 0) await migrateToLatest(database, provider);
  } finally {
    await moveIssues("site", "public");
  }
}

async function deleteWhatExpired(db: Kysely<Database>): Promise<void> {
  const now = new Date();
  if (await isClockTrusted(db, now)) await deleteExpired(db, now);
}

/**
 * Reads the visitor's address. The gateway names the peer in `CF-Connecting-IP`, or last in `X-Forwarded-For`. If the
 * peer is a trusted proxy, such as the site's server, the address before it counts, as for the site's own proxies.
 */
function createVisitorReader(trustedProxies: string[]): (headers: Headers) => string | null {
  const read = createClientAddressReader(trustedProxies);
  return (headers) => {
    const hops = (headers.get("X-Forwarded-For") ?? "").split(",").map((hop) => hop.trim());
    const connected = headers.get("CF-Connecting-IP")?.trim() || (hops.at(-1) ?? "");
    const at = hops.lastIndexOf(connected);
    const before = at === -1 ? [] : hops.slice(0, at);
    return read({ socketAddress: connected || null, forwardedFor: before.join(",") });
  };
}
