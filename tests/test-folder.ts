import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, onTestFinished } from "vitest";
import { makeMemoryFolder } from "./memory-folder.ts";

/** A new folder, which is removed after the test, when what began after it has ended. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function folderForEachTest(): { path: string } {
  const folder = { path: "" };
  beforeEach(async () => {
    folder.path = await makeMemoryFolder("chalkline-command-");
  });
  afterEach(() => rm(folder.path, { recursive: true, force: true }));
  return folder;
}
