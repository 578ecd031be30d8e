import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();

it("replaces no file unless it is told to", async () => {
  const env = { DATA_DIR: path.join(folder.path, "data") };
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
  const dataDir = path.join(folder.path, "data");
  const env = { DATA_DIR: dataDir };
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
