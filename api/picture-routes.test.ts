import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Hono } from "hono";
import type { KyselyPlugin } from "kysely";
import pino from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import {
  forgetPictures,
  keepPicture,
  type Picture,
  picturePath,
  pieceBytes,
} from "#newsletter/pictures/keep-pictures.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { until } from "#tests/until.ts";
import { createPictureRoutes } from "./picture-routes.ts";

const now = new Date("2026-11-22T12:00:00Z");
/** Three parts, of which the last is not full, and no number of bytes that base64 likes. */
const large = { type: "image/png", bytes: randomBytes(2 * pieceBytes + 1_000) } as const;

/** The lengths of texts that are read from the database. */
function watchReads() {
  const read: number[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const { base64 } of result.rows)
        if (typeof base64 === "string") read.push(base64.length);
      return result;
    },
  };
  return { read, plugin };
}

/** A database from which pictures can be read for as long as nothing is said, and then fail. */
function failingReads() {
  let failure: Promise<never> | null = null;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => (failure ? await failure : result),
  };
  return {
    plugin,
    fail(words: string, after: Promise<unknown> = Promise.resolve()) {
      failure = after.then(() => Promise.reject(new Error(words)));
      failure.catch(() => {});
    },
  };
}

const logged: Record<string, unknown>[] = [];
const log = pino({}, { write: (line) => void logged.push(JSON.parse(line)) });

beforeEach(() => {
  logged.length = 0;
});

/** Where the backend has them: addresses are read whole. */
function mounted(routes: ReturnType<typeof createPictureRoutes>) {
  return new Hono().route("/pictures", routes);
}

describeOnEachDatabase("a picture that the site keeps", (database) => {
  async function ask(picture: Picture, method = "GET") {
    const { read, plugin } = watchReads();
    const routes = createPictureRoutes({ db: database.db.withPlugin(plugin), log });
    const answer = await mounted(routes).request(picturePath(picture), { method });
    return { read, answer };
  }

  test("comes whole, and in parts as its reader takes them", async () => {
    await keepPicture(database.db, { issueId: 1, picture: large, now });
    const { answer } = await ask(large);
    expect(answer.headers.get("content-length")).toBe(String(large.bytes.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(large.bytes)).toBe(true);
    const { read, answer: slow } = await ask(large);
    expect(read).toEqual([]);
    await slow.body?.getReader().read();
    expect(read).toEqual([(pieceBytes / 3) * 4]);
  });

  test("is described to who asks for its headers alone without being read", async () => {
    await keepPicture(database.db, { issueId: 1, picture: large, now });
    const { read, answer } = await ask(large, "HEAD");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-length")).toBe(String(large.bytes.length));
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(read).toEqual([]);
  });

  test("is kept once, and goes with the last issue that shows it", async () => {
    const { db } = database;
    for (const issueId of [1, 2, 2]) await keepPicture(db, { issueId, picture: large, now });
    await forgetPictures(db, 1);
    expect((await ask(large)).answer.status).toBe(200);
    await forgetPictures(db, 2);
    expect((await ask(large)).answer.status).toBe(404);
    expect(await db.selectFrom("picture_pieces").selectAll().execute()).toEqual([]);
  });

  async function askWhere(reads: ReturnType<typeof failingReads>) {
    await keepPicture(database.db, { issueId: 1, picture: large, now });
    const cutOff = vi.fn();
    const routes = createPictureRoutes({ db: database.db.withPlugin(reads.plugin), log });
    const ask = async () =>
      await mounted(routes).request(
        picturePath(large),
        {},
        { clientAddress: null, requestId: "r1", cutOff },
      );
    return { ask, cutOff };
  }

  test("whose next part can't be read is broken off and reported once, by its route", async () => {
    const reads = failingReads();
    const { ask, cutOff } = await askWhere(reads);
    const reader = (await ask()).body?.getReader();
    await reader?.read();
    reads.fail("The database is away");
    // The body neither ends nor fails: the connection does.
    void reader?.read();
    await until(() => cutOff.mock.calls.length > 0);
    await reader?.cancel();
    expect(logged).toMatchObject([
      {
        level: pino.levels.values.error,
        route: "/pictures/*",
        requestId: "r1",
        err: { message: "The database is away" },
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain(picturePath(large));
    expect(cutOff).toHaveBeenCalledTimes(1);
  });

  test("leaves nothing in the log where its reader leaves while a part is read", async () => {
    const reads = failingReads();
    const { ask, cutOff } = await askWhere(reads);
    const reader = (await ask()).body?.getReader();
    await reader?.read();
    const { promise, resolve } = Promise.withResolvers<void>();
    reads.fail("Too late to matter", promise);
    void reader?.read();
    await delay(5);
    await reader?.cancel();
    resolve();
    await delay(20);
    expect(logged).toEqual([]);
    expect(cutOff).not.toHaveBeenCalled();
  });

  test("that can't be looked up is answered with 503, and reported by its route", async () => {
    const reads = failingReads();
    const { ask } = await askWhere(reads);
    reads.fail("The database is away");
    const answer = await ask();
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(logged).toMatchObject([{ level: pino.levels.values.error, route: "/pictures/*" }]);
    expect(JSON.stringify(logged)).not.toContain(picturePath(large));
  });
});
