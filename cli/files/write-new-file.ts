import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { describeCauses } from "#db/describe-causes.ts";
import { errorCode } from "#db/error-code.ts";
import { writeWholeFile } from "#db/write-whole-file.ts";
import { CommandError } from "../command-error.ts";

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
  try {
    await writeWholeFile(path, content);
  } catch (error) {
    if (error instanceof CommandError || errorCode(error) === "") throw error;
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
