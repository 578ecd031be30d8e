import { Hono } from "hono";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import { createFunctions, type FunctionsOptions } from "./functions.ts";
import { createPictures } from "./pictures.ts";
import { createRest } from "./rest.ts";

/**
 * `/rest/v1/*` and `/functions/v1/*` of a Supabase project, as far as this product speaks them, and the pictures of
 * imported issues: a pure `Request → Response` function, for sockets and for the site's own loaders.
 */
export function createApi(options: FunctionsOptions): Hono<{ Bindings: RequestOrigin }> {
  const api = new Hono<{ Bindings: RequestOrigin }>();
  api.route("/rest/v1", createRest(options));
  api.route("/functions/v1", createFunctions(options));
  api.route("/pictures", createPictures(options));
  // Clients read an empty 404 as success, so this one has words too.
  api.notFound((context) =>
    context.json({ code: "not_found", message: "There is nothing at this path." }, 404, {
      "Cache-Control": "no-store",
    }),
  );
  return api;
}
