import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { describeCauses } from "#backend/describe-causes.ts";
import { CommandError } from "../command-error.ts";

/** Who may read what the commands write: it names visitors, so only the operator's own user. */
const privateFileMode = 0o600;

/**
 * Writes a file whole or not at all, readable by its owner alone. Ends the command where the file is there already,
 * unless `force` allows to replace it.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<string> | string[],
  { force = false }: { force?: boolean },
): Promise<void> {
  await refuseUnusable(path, { force });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", privateFileMode);
    try {
      for await (const text of content) await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof CommandError || !(error instanceof Error && "code" in error)) throw error;
    throw new CommandError(`${path} can't be written: ${describeCauses(error)}`, { exitCode: 1 });
  }
}

/** Ends the command where the folder is missing, or the file is there already and `force` doesn't replace it. */
export async function refuseUnusable(path: string, { force }: { force?: boolean }): Promise<void> {
  const folder = dirname(path);
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true) {
    throw new CommandError(`There is no folder ${folder}. Make it first, or choose another place.`);
  }
  if (force || (await stat(path).catch(() => null)) === null) return;
  throw new CommandError(`${path} is there already. Choose another name, or add --force.`);
}
