import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import { ownPicturePath } from "#issue-body/own-addresses.ts";
import { createBoundedQueue } from "../bounded-queue.ts";
import type { Database } from "../database/tables.ts";
import { endingOf } from "./picture-type.ts";

/** Pictures are large and asked for many at a time: few are in memory at once. */
const queueLimits = { concurrency: 4, waitingMax: 200, waitMaxMs: 5_000 };

/** Its name is the hash of its bytes. */
const forEver = "public, max-age=31536000, immutable";

/** `/pictures/HASH.png`: what imported issues show, as it is, from the database. */
export function createPictureRoutes({
  db,
}: {
  db: Kysely<Database>;
}): Hono<{ Bindings: RequestOrigin }> {
  const routes = new Hono<{ Bindings: RequestOrigin }>();
  const queue = createBoundedQueue(queueLimits);
  routes.get("/:name", async (context) => {
    const [, hash = "", ending] = ownPicturePath.exec(context.req.path) ?? [];
    const etag = `"${hash}"`;
    const kept = { "Cache-Control": forEver, ETag: etag };
    // Nobody can have it who has not been given it, and it can't have changed.
    if (hash !== "" && context.req.header("If-None-Match")?.includes(etag)) {
      return context.body(null, 304, kept);
    }
    const from = context.env?.clientAddress ?? null;
    const read = await queue.run(async () => (hash === "" ? null : await find(db, hash)), { from });
    if (!read.ok) {
      return context.text("Too many pictures are asked for just now.\n", 503, {
        ...notStored,
        "Retry-After": "2",
      });
    }
    const picture = read.value;
    if (!picture || endingOf(picture.media_type) !== ending) {
      return context.text("There is no such picture.\n", 404, notStored);
    }
    const bytes = Buffer.from(picture.base64, "base64");
    return context.body(new Uint8Array(bytes), 200, {
      ...kept,
      "Content-Type": picture.media_type,
      "Content-Length": String(bytes.length),
    });
  });
  return routes;
}

const notStored = { "Cache-Control": "no-store" };

async function find(db: Kysely<Database>, hash: string) {
  return await db
    .selectFrom("pictures")
    .select(["media_type", "base64"])
    .where("hash", "=", hash)
    .executeTakeFirst();
}
