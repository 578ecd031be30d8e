import { Hono } from "hono";
import { cors } from "hono/cors";
import type { RequestOrigin } from "#content/site-settings.ts";
import { findPicture, readPictureBytes } from "#db/pictures.ts";
import { createFunctions, type FunctionsOptions } from "./functions.ts";
import { createRest, type RestOptions } from "./rest.ts";

/** The part of Supabase's `/rest/v1/*` and `/functions/v1/*` that this product has, and pictures. */
export function createApi(options: FunctionsOptions): Hono<{ Bindings: RequestOrigin }> {
  const api = new Hono<{ Bindings: RequestOrigin }>();
  api.route("/pictures", createPictures(options));
  // As at Supabase: nothing here reads a cookie.
  api.use(
    cors({
      origin: "*",
      exposeHeaders: ["Content-Range", "Content-Encoding", "Retry-After"],
      maxAge: 24 * 60 * 60,
    }),
  );
  api.route("/rest/v1", createRest(options));
  api.route("/functions/v1", createFunctions(options));
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
    return context.body(await readPictureBytes(db, picture.hash), 200, {
      "Cache-Control": "public, max-age=31536000, immutable",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Type": picture.type,
      "Content-Length": String(picture.sizeBytes),
    });
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
