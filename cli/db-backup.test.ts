import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { addPasskey, makeLink } from "#operator/desk-people.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();
let dataDir: string;
let env: Record<string, string>;

beforeEach(async () => {
  dataDir = path.join(folder.path, "data");
  env = { DATA_DIR: dataDir };
});

it("replaces no file unless it is told to", async () => {
  await runCommand(["db", "migrate"], { env });
  const copy = path.join(folder.path, "copy.sqlite");
  await writeFile(copy, "mine");
  const refused = await runCommand(["db", "backup", copy], { env });
  expect(refused.exitCode).toBe(2);
  expect((await stat(copy)).size).toBe(4);
  expect((await runCommand(["db", "backup", copy, "--force"], { env })).exitCode).toBe(0);
  expect((await stat(copy)).size).toBeGreaterThan(4);
});

it("refuses a missing folder, the database itself, and one that isn't there", async () => {
  const missing = await runCommand(["db", "backup", path.join(folder.path, "x")], { env });
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  await runCommand(["db", "migrate"], { env });
  const run = await runCommand(["db", "backup", path.join(folder.path, "no", "x")], { env });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(`There is no folder ${path.join(folder.path, "no")}.`);
  const source = path.join(dataDir, "chalkline.sqlite");
  expect((await runCommand(["db", "backup", source, "--force"], { env })).exitCode).toBe(2);
  expect((await runCommand(["issues", "list"], { env })).exitCode).toBe(0);
});

it("gives the pg_dump command for PostgreSQL, without the password, and does nothing", async () => {
  const postgres = { ...env, DATABASE_URL: "postgres://me:secret@localhost:5432/site" };
  const run = await runCommand(["db", "backup", "my copy.sqlite"], { env: postgres });
  expect(run.exitCode).not.toBe(0);
  expect(run.stderr).toContain(
    `pg_dump --format=custom --no-owner --file='my copy.dump' "$DATABASE_URL"`,
  );
  expect(run.stderr).not.toContain("secret");
});

it("brings back, elsewhere, nobody's session at the desk, and no link that makes a passkey", async () => {
  const at = { ...env, DESK_ADDRESS: "https://desk.example.com" };
  expect((await runCommand(["desk", "invite", "Ann"], { env: at })).exitCode).toBe(0);
  const database = { dataDir, databaseUrl: null };
  async function ways(of = dataDir): Promise<string[]> {
    const open = await openDatabase({ dataDir: of, databaseUrl: null });
    const links = await open.db.selectFrom("desk_links").select("token_hash as way").execute();
    const sessions = open.db.selectFrom("desk_sessions").select("secret_hash as way");
    const all = [...links, ...(await sessions.execute())].map(({ way }) => way);
    await open.close();
    return all;
  }
  const open = await openDatabase(database);
  const passkey = { credential: "c", publicKey: new Uint8Array(1), counter: 0, transports: [] };
  const { token } = await makeLink(open.db, { personId: 1, now: new Date() });
  await addPasskey(open.db, {
    token,
    device: "Phone",
    now: new Date(),
    passkey: { ...passkey, personId: 1 },
  });
  await open.close();
  expect(await ways()).toHaveLength(2);
  const copy = path.join(folder.path, "copy.sqlite");
  await runCommand(["db", "backup", copy], { env });
  const elsewhere = path.join(folder.path, "elsewhere");
  const restored = await runCommand(["db", "restore", copy], { env: { DATA_DIR: elsewhere } });
  expect(restored.exitCode, restored.stderr).toBe(0);
  expect(restored.stdout).toContain("Who left or was erased since the backup");
  expect(await ways(elsewhere)).toEqual([]);
});
