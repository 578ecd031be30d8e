import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runScript } from "#tests/databases/run-script.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import type { OpenDatabase } from "./database-handle.ts";
import { migrateToLatest } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

const folder = folderForEachTest();
let settings: { dataDir: string; databaseUrl: null };
let open: OpenDatabase;

beforeEach(async () => {
  settings = { dataDir: join(folder.path, "deep", "data"), databaseUrl: null };
  open = await openDatabase(settings);
  await migrateToLatest(open);
});

afterEach(async () => {
  await open.close();
});

const permissions = async (path: string) => (await stat(path)).mode & 0o777;

test("keeps the folder it makes and every file in it for its owner alone", async () => {
  expect(open.location).toBe(join(settings.dataDir, "chalkline.sqlite"));
  expect(await permissions(settings.dataDir)).toBe(0o700);
  expect(await permissions(open.location)).toBe(0o600);
  expect(await permissions(`${open.location}-wal`)).toBe(0o600);
});

// Each transaction reads before it writes: begun without the write lock, one of two would be refused at once, since
// what it read has changed meanwhile.
const countInOwnProcess = `
  import { openDatabase } from "#db/open-database.ts";
  const open = await openDatabase(input.settings);
  for (let round = 0; round < input.rounds; round += 1) {
    await open.db.transaction().execute(async (trx) => {
      const { attempts } = await trx.selectFrom("outbox").select("attempts").executeTakeFirstOrThrow();
      await trx.updateTable("outbox").set({ attempts: attempts + 1 }).execute();
    });
    await open.db.insertInto("marks").values({ name: input.name + round, set_at: "now" }).execute();
  }
  await open.close();
`;

test("loses no write when processes write the file at once", async () => {
  const rounds = 150;
  await open.db
    .insertInto("outbox")
    .values({ delivery_id: "a", kind: "k", payload: "{}", created_at: "", next_attempt_at: "" })
    .execute();
  await Promise.all(
    ["a", "b", "c"].map((name) => runScript(countInOwnProcess, { settings, rounds, name })),
  );
  const counted = await open.db.selectFrom("outbox").select("attempts").execute();
  expect(counted).toEqual([{ attempts: 3 * rounds }]);
  const marks = await open.db.selectFrom("marks").select("name").execute();
  expect(marks).toHaveLength(3 * rounds);
});

test("says so where the data folder can't be made", async () => {
  const dataDir = join(open.location, "inside-a-file");
  await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toThrow(dirname(dataDir));
});
