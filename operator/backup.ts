import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { describeCauses } from "#db/describe-causes.ts";
import type { DatabaseSettings } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { findTargetFault, syncToDisk } from "#db/write-whole-file.ts";

const privateFileMode = 0o600;
const busyTimeoutMs = 5_000;

type BackedUp =
  | { ok: true; bytes: number }
  | { ok: false; reason: "failed"; why: string }
  /** `on_postgres`: its own tools do it better. */
  | {
      ok: false;
      reason: "on_postgres" | "no_database" | "is_database" | "no_folder" | "file_exists";
    };

/** Copies the site's SQLite database to a new file while the site runs. */
export async function backUp(
  { databaseUrl, dataDir }: DatabaseSettings,
  { target, force }: { target: string; force?: boolean },
): Promise<BackedUp> {
  if (databaseUrl !== null) return { ok: false, reason: "on_postgres" };
  const location = path.join(dataDir, sqliteFileName);
  if (!(await isFile(location))) return { ok: false, reason: "no_database" };
  if (target === path.resolve(location)) return { ok: false, reason: "is_database" };
  const fault = await findTargetFault(target, { force });
  if (fault) return { ok: false, reason: fault };
  try {
    await backupSqlite(location, target);
    return { ok: true, bytes: (await stat(target)).size };
  } catch (error) {
    return { ok: false, reason: "failed", why: describeCauses(error) };
  }
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() === true;
}

/**
 * Copies a SQLite database that others may be writing to, checks the copy, and only then gives it its name. Throws if the
 * copy fails or isn't sound; then there is no file.
 */
export async function backupSqlite(source: string, target: string): Promise<void> {
  const temporary = `${target}.${randomUUID()}.tmp`;
  // Created first, so that others can never read the copy.
  await (await open(temporary, "wx", privateFileMode)).close();
  const connection = new DatabaseSync(source, { readOnly: true, timeout: busyTimeoutMs });
  try {
    // In one transaction, since each write of the server would otherwise restart the copy.
    connection.exec("begin");
    connection.prepare("select count(*) from sqlite_schema").get();
    await backup(connection, temporary);
    await nameWhenSound(temporary, target);
  } finally {
    connection.close();
    for (const file of [temporary, `${temporary}-wal`, `${temporary}-shm`]) {
      await rm(file, { force: true });
    }
  }
}

export async function nameWhenSound(copy: string, target: string): Promise<void> {
  await checkSound(copy);
  await syncToDisk(copy);
  await rename(copy, target);
  await syncToDisk(path.dirname(target));
}

/**
 * Throws if the file isn't a sound database. Also merges its write-ahead log into it. SQLite reads the whole file in one
 * call, for seconds, so another thread makes it: this one answers visitors.
 */
async function checkSound(file: string): Promise<void> {
  const worker = new Worker(soundness, { eval: true, workerData: file });
  const [faults]: string[][] = await once(worker, "message");
  if (faults?.[0]) throw new Error(`the copy is not sound: ${faults[0]}`);
}

// Everything is in one file, so that it can be moved alone.
const soundness = `
  const { parentPort, workerData } = require("node:worker_threads");
  const copy = new (require("node:sqlite").DatabaseSync)(workerData);
  copy.exec("pragma journal_mode = delete");
  const found = copy.prepare("pragma integrity_check").all();
  copy.close();
  parentPort.postMessage(found.map((row) => row.integrity_check).filter((text) => text !== "ok"));`;

const ownTables = ["contact_messages", "final_newsletters", "outbox", "subscribers"];

export function assertOurs(copy: string): void {
  const connection = new DatabaseSync(copy, { readOnly: true });
  const names = connection.prepare("select name from sqlite_schema where type = 'table'").all();
  connection.close();
  const missing = ownTables.filter((table) => !names.some(({ name }) => name === table));
  if (missing.length > 0) {
    throw new Error(`it is no backup of this site: it has no table ${missing.join(", ")}`);
  }
}
