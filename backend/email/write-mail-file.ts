import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { syncToDisk } from "../sync-to-disk.ts";

/**
 * Puts a message on disk whole or not at all, in place of an earlier one of the same name. It names visitors, so only
 * the server's own user may read it.
 */
export async function writeMailFile({
  folder,
  fileName,
  bytes,
}: {
  folder: string;
  fileName: string;
  bytes: Buffer;
}): Promise<void> {
  if (!/^[\w.-]+$/.test(fileName)) throw new Error("A mail file's name may hold no separators");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = path.join(folder, `.${fileName}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path.join(folder, fileName));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // The new name has to survive a power cut too.
  await syncToDisk(folder);
}
