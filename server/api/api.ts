import { Hono } from "hono";
import type { RequestOrigin } from "#content/site-settings.ts";
import { findPicture, readPictureBytes } from "#db/pictures.ts";
import {
  allowAnyOrigin,
  createFunctionRoutes,
  createFunctions,
  type Functions,
  type FunctionsOptions,
} from "./functions.ts";
import { createRest, type RestOptions } from "./rest.ts";

/** The part of Supabase's `/rest/v1/*` and `/functions/v1/*` that this product has, and pictures. */
export function createApi(
  options: FunctionsOptions,
  functions: Functions = createFunctions(options),
): Hono<{ Bindings: RequestOrigin }> {
  const api = new Hono<{ Bindings: RequestOrigin }>();
  api.route("/pictures", createPictures(options));
  api.use(allowAnyOrigin);
  api.route("/rest/v1", createRest(options));
  api.route("/functions/v1", createFunctionRoutes(functions));
  // Supabase's client reads an empty 404 as success, and nothing without CORS.
  api.notFound((context) =>
    context.json({ code: "not_found", message: "There is nothing at this path." }, 404, {
      "Cache-Control": "no-store",
    }),
  );
  return api;
}

export function createPictures({ db, log }: RestOptions): Hono<{ Bindings: RequestOrigin }> {
  const routes = new Hono<{ Bindings: RequestOrigin }>();

  routes.get("/:name", async (context) => {
    const picture = await findPicture(db, context.req.path);
    if (!picture) return context.text("There is no such picture.\n", 404, notStored);
    const etag = `"${picture.hash}"`;
    const kept = { "Cache-Control": "public, max-age=31536000, immutable", ETag: etag };
    if (context.req.header("If-None-Match")?.includes(etag)) return context.body(null, 304, kept);
    const headers = { "Content-Type": picture.type, "Content-Length": String(picture.sizeBytes) };
    return context.body(await readPictureBytes(db, picture.hash), 200, { ...kept, ...headers });
  });

  routes.onError((err, context) => {
    // The path is a stranger's words.
    log.error(
      { err, requestId: context.env?.requestId, route: "/pictures/*" },
      "A picture could not be read",
    );
    return context.text("The picture can't be read just now.\n", 503, {
      ...notStored,
      "Retry-After": "2",
    });
  });
  return routes;
}

const notStored = { "Cache-Control": "no-store" };
