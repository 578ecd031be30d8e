import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { syncToDisk } from "./sync-to-disk.ts";

/**
 * Puts a file on disk whole or not at all, in place of an earlier one of the same name. It names visitors, so only the
 * user who writes it may read it.
 */
export async function writeWholeFile(
  file: string,
  content: Buffer | Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  // A dot for a bare name, where `path.parse` has nothing.
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, content, { flag: "wx", mode: 0o600, flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // The new name has to survive a power cut too.
  await syncToDisk(folder);
}
