import { Hono } from "hono";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import {
  allowAnyOrigin,
  createFunctionRoutes,
  createFunctions,
  type Functions,
  type FunctionsOptions,
} from "./functions.ts";
import { createPictures } from "./pictures.ts";
import { createRest } from "./rest.ts";

/**
 * The part of a Supabase project's `/rest/v1/*` and `/functions/v1/*` that this product has, and imported issues'
 * pictures: a pure `Request → Response` function.
 */
export function createApi(
  options: FunctionsOptions,
  functions: Functions = createFunctions(options),
): Hono<{ Bindings: RequestOrigin }> {
  const api = new Hono<{ Bindings: RequestOrigin }>();
  api.route("/pictures", createPictures(options));
  api.use(allowAnyOrigin);
  api.route("/rest/v1", createRest(options));
  api.route("/functions/v1", createFunctionRoutes(functions));
  // Supabase's client reads an empty 404 as success, and without CORS nothing at all.
  api.notFound((context) =>
    context.json({ code: "not_found", message: "There is nothing at this path." }, 404, {
      "Cache-Control": "no-store",
    }),
  );
  return api;
}
