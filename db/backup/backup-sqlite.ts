import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { syncToDisk } from "../sync-to-disk.ts";

/** For the owner alone: it holds personal information. */
const privateFileMode = 0o600;
const busyTimeoutMs = 5_000;

/**
 * Copies a SQLite database that others may be writing to, as it is at this moment, checks the copy, and only then gives
 * it its name. Throws where the copy can't be made or is not sound; then there is no file.
 */
export async function backupSqlite(
  source: string,
  target: string,
  onProgress: (donePages: number, totalPages: number) => void,
): Promise<void> {
  const temporary = `${target}.${randomUUID()}.tmp`;
  // Made first, so that the copy is never readable by others.
  await (await open(temporary, "wx", privateFileMode)).close();
  const connection = new DatabaseSync(source, { readOnly: true, timeout: busyTimeoutMs });
  try {
    // Everything is read inside one transaction: otherwise each write of the server would start the copy anew.
    connection.exec("begin");
    connection.prepare("select count(*) from sqlite_schema").get();
    await backup(connection, temporary, {
      progress: ({ totalPages, remainingPages }) =>
        onProgress(totalPages - remainingPages, totalPages),
    });
    checkSound(temporary);
    await syncToDisk(temporary);
    await rename(temporary, target);
    await syncToDisk(path.dirname(target));
  } finally {
    connection.close();
    for (const file of [temporary, `${temporary}-wal`, `${temporary}-shm`]) {
      await rm(file, { force: true });
    }
  }
}

/** Throws where the file is not a sound database, and folds what lies beside it into it. */
export function checkSound(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    // One file with all in it, so that it can be moved alone.
    copy.exec("pragma journal_mode = delete");
    const found = copy.prepare("pragma integrity_check").all();
    const faults = found.map((row) => String(row.integrity_check)).filter((text) => text !== "ok");
    if (faults.length > 0) throw new Error(`the copy is not sound: ${faults[0]}`);
  } finally {
    copy.close();
  }
}
