import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();
let dataDir: string;
let env: Record<string, string>;

beforeEach(async () => {
  dataDir = path.join(folder.path, "data");
  env = { DATA_DIR: dataDir };
});

it("makes a copy that holds what was there, and that the site starts from", async () => {
  const issue = path.join(folder.path, "issue.html");
  await writeFile(issue, "<p>Kept</p>");
  await runCommand(["issues", "publish", issue, "--title", "Kept"], { env });
  const copy = path.join(folder.path, "copy.sqlite");
  const run = await runCommand(["db", "backup", copy, "--json"], { env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(run.stdout)).toMatchObject({ file: copy, integrityCheck: "ok" });
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  // One file, with nothing beside it that would have to be moved too.
  expect((await readdir(folder.path)).sort()).toEqual(["copy.sqlite", "data", "issue.html"]);

  const restored = path.join(folder.path, "restored");
  await mkdir(restored);
  await runCommand(["db", "backup", path.join(restored, "chalkline.sqlite")], { env });
  const list = await runCommand(["issues", "list", "--json"], { env: { DATA_DIR: restored } });
  expect(JSON.parse(list.stdout)).toEqual(
    JSON.parse((await runCommand(["issues", "list", "--json"], { env })).stdout),
  );
  expect(JSON.parse(list.stdout).issues[0].title).toBe("Kept");
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
