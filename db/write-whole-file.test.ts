import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeWholeFile } from "./write-whole-file.ts";

test("a file is written whole, for its owner alone, under an absolute and a relative name", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "whole-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = { absolute: path.join(folder, "a.csv"), relative: `whole-file-${process.pid}.csv` };
  onTestFinished(() => rm(names.relative, { force: true }));
  for (const file of Object.values(names)) {
    await writeWholeFile(file, ["one\n", "two\n"]);
    expect(await readFile(file, "utf8")).toBe("one\ntwo\n");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
});

test("nothing is left of a file that could not be written whole, and the earlier one stays", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "whole-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "a.csv");
  await writeWholeFile(file, ["before"]);
  async function* broken() {
    yield "half";
    throw new Error("The database is gone");
  }
  await expect(writeWholeFile(file, broken())).rejects.toThrow("The database is gone");
  expect(await readFile(file, "utf8")).toBe("before");
  expect(await readdir(folder)).toEqual(["a.csv"]);
});
