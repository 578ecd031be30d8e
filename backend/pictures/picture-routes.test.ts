import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { type KyselyPlugin, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { loadMigrations, migrateToLatest } from "../database/migrate.ts";
import {
  forgetPictures,
  keepPicture,
  type Picture,
  picturePath,
  pieceBytes,
} from "./keep-pictures.ts";
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

/** Where the backend has them: addresses are read whole. */
function mounted(routes: ReturnType<typeof createPictureRoutes>) {
  return new Hono().route("/pictures", routes);
}

describeOnEachDatabase("a picture that the site keeps", (database) => {
  async function ask(picture: Picture, method = "GET") {
    const { read, plugin } = watchReads();
    const routes = createPictureRoutes({ db: database.db.withPlugin(plugin) });
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
});

describeOnEachDatabase(
  "pictures that were kept whole",
  (database) => {
    test("come in parts after the migration", async () => {
      const { db } = database;
      const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations } });
      const { error } = await migrator.migrateTo("2026-11-22T06-30-00-pictures");
      if (error) throw error;
      const small = { type: "image/gif", bytes: Buffer.from("GIF89a, nearly") } as const;
      for (const { type, bytes } of [large, small]) {
        const hash = /([\w-]{43})/.exec(picturePath({ type, bytes }))?.[1] ?? "";
        await sql`insert into pictures (hash, media_type, base64, kept_at)
          values (${hash}, ${type}, ${bytes.toString("base64")}, ${now.toISOString()})`.execute(db);
      }
      await migrateToLatest(database.open);
      const backend = mounted(createPictureRoutes({ db }));
      for (const picture of [large, small]) {
        const answer = await backend.request(picturePath(picture));
        expect(answer.headers.get("content-length")).toBe(String(picture.bytes.length));
        expect(Buffer.from(await answer.arrayBuffer()).equals(picture.bytes)).toBe(true);
      }
    });
  },
  { migrated: false },
);
