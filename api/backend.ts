import { Hono } from "hono";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import { createFunctionRoutes, type FunctionRoutesOptions } from "./functions/function-routes.ts";
import { createPictureRoutes } from "./picture-routes.ts";
import { createRest, type RestOptions } from "./rest.ts";

/**
 * The built-in backend: `/rest/v1/*` and `/functions/v1/*` of a Supabase project, as far as this product speaks them, and
 * the pictures of imported issues.
 * A pure `Request → Response` function (`backend.fetch(request, origin)`), for sockets and for the site's own loaders.
 */
export function createBackend(
  options: FunctionRoutesOptions & RestOptions,
): Hono<{ Bindings: RequestOrigin }> {
  const backend = new Hono<{ Bindings: RequestOrigin }>();
  backend.route("/rest/v1", createRest(options));
  backend.route("/functions/v1", createFunctionRoutes(options));
  backend.route("/pictures", createPictureRoutes(options));
  // Clients read an empty 404 as success, so this one has words too.
  backend.notFound((context) =>
    context.json({ code: "not_found", message: "There is nothing at this path." }, 404, {
      "Cache-Control": "no-store",
    }),
  );
  return backend;
}
