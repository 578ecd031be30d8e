import { open } from "node:fs/promises";

/** Resolves when a file, or the names in a folder, would survive a power cut. */
export async function syncToDisk(fileOrFolder: string): Promise<void> {
  // Windows can't open a folder for this and doesn't need it.
  if (process.platform === "win32") return;
  const handle = await open(fileOrFolder, "r");
  await handle.sync().finally(() => handle.close());
}
