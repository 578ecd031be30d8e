import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { Database } from "#db/tables.ts";
import { ownPicturePath } from "#issue-body/own-addresses.ts";
import { pieceBytes } from "#newsletter/pictures/keep-pictures.ts";
import { endingOf } from "#newsletter/pictures/picture-type.ts";
import { answerInPieces } from "./answer-in-pieces.ts";
import { createBoundedQueue } from "./bounded-queue.ts";
import { pauseBeforeRefusal } from "./refusal-pause.ts";

/** Pictures are asked for many at a time, and read a few at a time; what is begun goes before what isn't. */
const queueLimits = {
  concurrency: 4,
  waitingMax: 200,
  // As many as there are connections.
  waitingUrgentMax: 4_000,
  waitMaxMs: 5_000,
};

/** Its name is the hash of its bytes. */
const forEver = "public, max-age=31536000, immutable";

/** `/pictures/HASH.png`: what imported issues show, as it is, from the database. */
export function createPictureRoutes({
  db,
  log,
}: {
  db: Kysely<Database>;
  log: Logger;
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
      await pauseBeforeRefusal(context.req.raw.signal);
      return context.text("Too many pictures are asked for just now.\n", 503, {
        ...notStored,
        "Retry-After": "2",
      });
    }
    const picture = read.value;
    if (!picture || endingOf(picture.media_type) !== ending) {
      return context.text("There is no such picture.\n", 404, notStored);
    }
    const headers = {
      ...kept,
      "Content-Type": picture.media_type,
      "Content-Length": String(picture.size_bytes),
    };
    if (context.req.method === "HEAD") return context.body(null, 200, headers);
    const pieces = Array.from(
      { length: Math.ceil(picture.size_bytes / pieceBytes) },
      (_, place) => async () => {
        const piece = await queue.run(() => readPiece(db, { hash, place }), {
          from,
          isUrgent: true,
        });
        if (!piece.ok) throw new LatePieceError("A picture's next part was not read in time");
        return piece.value;
      },
    );
    const body = answerInPieces(pieces, {
      cutOff: context.env?.cutOff,
      onFailure: (err) => report(err, context.env?.requestId),
    });
    return context.body(body, 200, headers);
  });

  routes.onError((err, context) => {
    report(err, context.env?.requestId);
    return context.text("The picture can't be read just now.\n", 503, {
      ...notStored,
      "Retry-After": "2",
    });
  });

  /** Once an answer; by the route, since a path is a stranger's own words. */
  function report(err: unknown, requestId: string | undefined) {
    const about = { err, requestId, route: "/pictures/*" };
    // Too much was asked for at once: nothing is wrong with the picture or the database.
    if (err instanceof LatePieceError) log.warn(about, readingFailed);
    else log.error(about, readingFailed);
  }
  return routes;
}

const readingFailed = "A picture could not be read";

class LatePieceError extends Error {}

const notStored = { "Cache-Control": "no-store" };

async function find(db: Kysely<Database>, hash: string) {
  return await db
    .selectFrom("pictures")
    .select(["media_type", "size_bytes"])
    .where("hash", "=", hash)
    .executeTakeFirst();
}

/** Rejects where it has gone meanwhile, with the last issue that showed the picture: the answer ends short. */
async function readPiece(
  db: Kysely<Database>,
  { hash, place }: { hash: string; place: number },
): Promise<Uint8Array> {
  const { base64 } = await db
    .selectFrom("picture_pieces")
    .select("base64")
    .where("hash", "=", hash)
    .where("place", "=", place)
    .executeTakeFirstOrThrow();
  return Buffer.from(base64, "base64");
}
