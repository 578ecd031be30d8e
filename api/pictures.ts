import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import type { Database } from "#db/tables.ts";
import { findPicture, readPictureBytes } from "#newsletter/pictures.ts";

/** `/pictures/HASH.png`: pictures of imported issues. */
export function createPictures({
  db,
  log,
}: {
  db: Kysely<Database>;
  log: Pick<Logger, "error">;
}): Hono<{ Bindings: RequestOrigin }> {
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
    // The path is a stranger's words, so the route is logged.
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
