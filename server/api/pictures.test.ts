import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { linkShownPictures, picturePath, removePicturesOf, storePicture } from "#db/pictures.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createPictures } from "./api.ts";

const now = new Date("2026-11-22T12:00:00Z");
const picture = { type: "image/png", bytes: randomBytes(200_001) } as const;

const logged: Record<string, unknown>[] = [];
const log = pino({}, { write: (line) => void logged.push(JSON.parse(line)) });

beforeEach(() => {
  logged.length = 0;
});

describeOnEachDatabase("a picture that the site stores", (database) => {
  const mounted = (db = database.db) => new Hono().route("/pictures", createPictures({ db, log }));
  const path = picturePath(picture);

  test("comes whole, under an address that may be cached for good", async () => {
    await storePicture(database.db, picture, now);
    const app = mounted();
    for (const method of ["GET", "HEAD", "GET"]) {
      const answer = await app.request(path, { method });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-length")).toBe(String(picture.bytes.length));
      expect(answer.headers.get("content-type")).toBe("image/png");
      expect(answer.headers.get("cache-control")).toContain("immutable");
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.equals(method === "HEAD" ? Buffer.of() : picture.bytes)).toBe(true);
    }
    const headers = { "If-None-Match": `"${path.slice(10, 53)}"` };
    expect((await app.request(path, { headers })).status).toBe(304);
    expect((await app.request(path.replace(".png", ".gif"))).status).toBe(404);
  });

  test("goes with the last issue that shows it", async () => {
    const { db } = database;
    const app = mounted();
    const html = `<img src="${path}">`;
    for (const issueId of [1, 2, 2]) {
      await storePicture(db, picture, now);
      await linkShownPictures(db, { issueId, html });
    }
    await removePicturesOf(db, 1);
    expect((await app.request(path)).status).toBe(200);
    await removePicturesOf(db, 2);
    expect((await app.request(path)).status).toBe(404);
  });

  test("that can't be looked up is answered with 503, and reported by its route", async () => {
    const failing = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: () => Promise.reject(new Error("The database is away")),
    });
    const answer = await mounted(failing).request(path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(logged).toMatchObject([{ level: pino.levels.values.error, route: "/pictures/*" }]);
    expect(JSON.stringify(logged)).not.toContain(path);
  });
});
