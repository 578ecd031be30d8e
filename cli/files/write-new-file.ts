import { randomUUID } from "node:crypto";
import { access, open, rename, rm } from "node:fs/promises";
import { reasonOf } from "../command-context.ts";
import { CommandError } from "../command-error.ts";

/** Who may read what the commands write: it names visitors, so only the operator's own user. */
export const privateFileMode = 0o600;

/**
 * Writes a file whole or not at all, readable by its owner alone. Ends the command where the file is there already,
 * unless `force` allows to replace it.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<string>,
  { force = false }: { force?: boolean },
): Promise<void> {
  await refuseExisting(path, { force });
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
    throw new CommandError(`${path} can't be written: ${reasonOf(error)}`, { exitCode: 1 });
  }
}

/** Ends the command where the file is there already, unless `force` allows to replace it. */
export async function refuseExisting(path: string, { force }: { force?: boolean }): Promise<void> {
  if (force) return;
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) {
    throw new CommandError(`${path} is there already. Choose another name, or add --force.`);
  }
}
