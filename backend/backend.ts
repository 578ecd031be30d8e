import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { Database } from "./database/tables.ts";
import { createFunctionRoutes } from "./functions/function-routes.ts";
import type { SubmissionLimits } from "./limits/submission-limits.ts";
import { createRestRoutes } from "./rest/rest-routes.ts";

/** What a request to the backend comes with beside itself: Hono's bindings. */
export type RequestOrigin = {
  /** The visitor's network address, where the server shell knows it. */
  clientAddress: string | null;
  /** Names the request in the log. */
  requestId?: string;
  /** True where a page of the site asks, in the same process, and not a visitor over the network. */
  isOwnPage?: boolean;
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
  /** Other limits than the product's own, for a harness that sends more than people do. */
  submissionLimits?: SubmissionLimits;
  /** Told how each call of a function ended, for counting. */
  onFunctionAnswer?: (name: string, outcome: FunctionOutcome) => void;
};

/** `limited`: too many for now (429). */
export type FunctionOutcome = "taken" | "refused" | "limited" | "failed";

/**
 * The built-in backend: `/rest/v1/*` and `/functions/v1/*` of a Supabase project, as far as this product speaks them.
 * A pure `Request → Response` function (`backend.fetch(request, origin)`), for sockets and for the site's own loaders.
 */
export function createBackend(options: BackendOptions): Hono<{ Bindings: RequestOrigin }> {
  const backend = new Hono<{ Bindings: RequestOrigin }>();
  backend.route("/rest/v1", createRestRoutes(options));
  backend.route("/functions/v1", createFunctionRoutes(options));
  // Clients read an empty 404 as success, so this one has words too.
  backend.notFound((context) =>
    context.json({ code: "not_found", message: "There is nothing at this path." }, 404, {
      "Cache-Control": "no-store",
    }),
  );
  return backend;
}
