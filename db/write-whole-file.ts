import { randomUUID } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Replaces a file atomically. Only this user may read it. */
export async function writeWholeFile(
  file: string,
  content: Buffer | Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, content, { flag: "wx", mode: 0o600, flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncToDisk(folder);
}

export async function syncToDisk(fileOrFolder: string): Promise<void> {
  // Windows can't open a folder for this.
  if (process.platform === "win32") return;
  const handle = await open(fileOrFolder, "r");
  await handle.sync().finally(() => handle.close());
}
