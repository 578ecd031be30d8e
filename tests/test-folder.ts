import { rm } from "node:fs/promises";
import { afterEach, beforeEach } from "vitest";
import { makeMemoryFolder } from "./memory-folder.ts";

/** A new folder for each test, which is removed after it. */
export function folderForEachTest(): { path: string } {
  const folder = { path: "" };
  beforeEach(async () => {
    folder.path = await makeMemoryFolder("chalkline-command-");
  });
  afterEach(() => rm(folder.path, { recursive: true, force: true }));
  return folder;
}
