import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import pino from "pino";
import { expect, test } from "vitest";
import { linkShownPictures, picturePath, removePicturesOf, storePicture } from "#db/pictures.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createPictures } from "./api.ts";

const now = new Date("2026-11-22T12:00:00Z");
const picture = {
  type: "image/png",
  bytes: randomBytes(200_001),
  width: 640,
  height: 480,
} as const;

const log = pino({ level: "silent" });

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
});
