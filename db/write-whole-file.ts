import { randomUUID } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Replaces a file atomically by what `make` writes into a temporary one. Only this user may read it. */
export async function makeWholeFile(
  file: string,
  make: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    // Made first, so that others can never read it.
    const handle = await open(temporary, "wx", 0o600);
    await make(temporary)
      .then(() => handle.sync())
      .finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

export async function writeWholeFile(
  file: string,
  content: Buffer | Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  await makeWholeFile(file, (temporary) => writeFile(temporary, content));
}

async function syncFolder(folder: string): Promise<void> {
  // Windows can't open a folder for this.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
