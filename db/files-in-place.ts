import { type BigIntStats, statSync } from "node:fs";

/** The database's file, or what was written ahead of it, is not where it was opened. */
class DatabaseMovedError extends Error {
  override name = "DatabaseMovedError";

  constructor(file: string) {
    super(
      `${file} is no longer the file that was opened, so nothing can be kept in it. Put it back, or restart the server.`,
    );
  }
}

/**
 * Remembers which files these are and gives a check that they still are, which throws where one was deleted, moved or
 * replaced. A process goes on writing into a file that has no name any more, and what it writes there is gone when it
 * ends.
 */
export function createPlaceCheck(files: string[]): () => void {
  const opened = files.map((file) => ({ file, at: statSync(file, { bigint: true }) }));
  return () => {
    for (const { file, at } of opened) {
      if (!isSame(at, statSync(file, { bigint: true, throwIfNoEntry: false }))) {
        throw new DatabaseMovedError(file);
      }
    }
  };
}

function isSame(opened: BigIntStats, found: BigIntStats | undefined): boolean {
  return found?.ino === opened.ino && found.dev === opened.dev;
}
