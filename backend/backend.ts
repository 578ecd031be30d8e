import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { Database } from "./database/tables.ts";

/** What a request to the backend comes with beside itself: Hono's bindings. */
export type RequestOrigin = {
  /** The visitor's network address, where the server shell knows it. */
  clientAddress: string | null;
};

export type BackendOptions = {
  db: Kysely<Database>;
  log: Logger;
  /** Wakes the outbox worker after a commit; the worker also looks by itself. */
  wakeOutbox: () => void;
  /** The operator's own webhook; the only one that is ever called. */
  newsletterWebhookUrl: string | null;
  /** Who asks for consent and whose links go into mail. */
  site: SiteIdentity;
};

/**
 * The built-in backend: `/rest/v1/*` and `/functions/v1/*` of a Supabase project, as far as this product speaks them.
 * A pure `Request → Response` function (`backend.fetch(request, origin)`), for sockets and for the site's own loaders.
 */
export function createBackend(_options: BackendOptions): Hono<{ Bindings: RequestOrigin }> {
  return new Hono<{ Bindings: RequestOrigin }>();
}
