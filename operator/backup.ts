import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import type { DatabaseSettings } from "#db/open-database.ts";
import { isSqliteBusy, isSqliteDamaged, sqliteFileName } from "#db/open-sqlite.ts";
import { findTargetFault, syncToDisk } from "#db/write-whole-file.ts";
import { countOutbox } from "#mail/outbox-list.ts";
import { repeatErasures } from "#newsletter/privacy.ts";
import { deleteExpired } from "#newsletter/retention.ts";
import { openStore } from "./open-store.ts";

const privateFileMode = 0o600;
const busyTimeoutMs = 5_000;

/** A backup's target or source that can't be used, and why nothing was done. */
type Refused<Reason extends string> = { ok: false; reason: Reason } | Failed;
type Failed = { ok: false; reason: "failed"; why: string };

type BackedUp =
  | { ok: true; bytes: number }
  /** `on_postgres`: its own tools do it better. */
  | Refused<"on_postgres" | "no_database" | "is_database" | "no_folder" | "file_exists">;

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

/** Whether a backup can be restored: `replaces` says that there is a database in its place. */
export async function checkRestore(
  { databaseUrl, dataDir }: DatabaseSettings,
  backupFile: string,
): Promise<
  | { ok: true; location: string; replaces: boolean }
  | { ok: false; reason: "on_postgres" | "no_file" | "is_database" }
> {
  if (databaseUrl !== null) return { ok: false, reason: "on_postgres" };
  const location = path.join(dataDir, sqliteFileName);
  if (!(await isFile(backupFile))) return { ok: false, reason: "no_file" };
  if (backupFile === path.resolve(location)) return { ok: false, reason: "is_database" };
  return { ok: true, location, replaces: await isFile(location) };
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

const lockTimeoutMs = 1_000;
const ownTables = ["contact_messages", "final_newsletters", "outbox", "subscribers"];

type Restored = {
  ok: true;
  /** The previous database's file; null if there was none. */
  setAside: string | null;
  migrated: string[];
  repeatedErasures: number;
  waiting: number;
};

type Erasure = { address_hash: string; erased_at: string };

/**
 * Replaces the database in the data folder by a backup that {@link checkRestore} let pass. A copy of the backup is
 * checked, migrated, and cleared of what was erased or expired since. Only then does it replace the present database,
 * which is set aside. Nothing changes if another process has the database open, or if the backup is of a newer version.
 */
export async function restore(
  dataDir: string,
  { backupFile, now }: { backupFile: string; now: Date },
): Promise<Restored | Refused<"in_use">> {
  const location = path.join(dataDir, sqliteFileName);
  const workshop = path.join(dataDir, `.restore-${randomUUID()}`);
  let present: Present | "in use" | null = null;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    present = await takeAlone(location);
    if (present === "in use") return { ok: false, reason: "in_use" };
    await mkdir(workshop, { mode: 0o700 });
    const copy = path.join(workshop, sqliteFileName);
    await backupSqlite(backupFile, copy);
    assertOurs(copy);
    const prepared = await prepare(workshop, present?.erasures ?? [], now);
    await checkSound(copy);
    await syncToDisk(copy);
    const setAside = present ? await setAsideAs(location, present.damaged, now) : null;
    await rename(copy, location);
    await syncToDisk(dataDir);
    return { ok: true, setAside, ...prepared };
  } catch (error) {
    return { ok: false, reason: "failed", why: describeCauses(error) };
  } finally {
    if (present !== "in use") present?.release();
    await rm(workshop, { recursive: true, force: true });
  }
}

type Present = { erasures: Erasure[]; damaged: boolean; release(): void };

/** Locks the database exclusively and merges its write-ahead log into it. Null if there is no database. */
async function takeAlone(location: string): Promise<Present | "in use" | null> {
  if ((await stat(location).catch(() => null)) === null) return null;
  const connection = new DatabaseSync(location, { timeout: lockTimeoutMs });
  const release = () => connection.close();
  try {
    // Fails if another connection is open. Afterwards everything is in one file.
    connection.exec("pragma journal_mode = delete");
    connection.exec("begin exclusive");
    return { erasures: readErasures(connection), damaged: false, release };
  } catch (error) {
    if (isSqliteDamaged(error)) return { erasures: [], damaged: true, release };
    release();
    if (!isSqliteBusy(error)) throw error;
    return "in use";
  }
}

function readErasures(connection: DatabaseSync): Erasure[] {
  const known = connection
    .prepare("select count(*) as tables from sqlite_schema where name = 'erasures'")
    .get();
  if (known?.tables !== 1) return [];
  return connection.prepare("select address_hash, erased_at from erasures").all() as Erasure[];
}

export function assertOurs(copy: string): void {
  const connection = new DatabaseSync(copy, { readOnly: true });
  const names = connection.prepare("select name from sqlite_schema where type = 'table'").all();
  connection.close();
  const missing = ownTables.filter((table) => !names.some(({ name }) => name === table));
  if (missing.length > 0) {
    throw new Error(`it is no backup of this site: it has no table ${missing.join(", ")}`);
  }
}

async function prepare(dataDir: string, erasures: Erasure[], now: Date) {
  const store = await openStore({ dataDir, databaseUrl: null });
  try {
    const repeatedErasures = await repeatErasures(store.db, erasures, now);
    await deleteExpired(store.db, now);
    // Some of that day's have been ended since.
    for (const table of ["desk_sessions", "desk_links"] as const) {
      await store.db.deleteFrom(table).execute();
    }
    const { waiting } = await countOutbox(store.db);
    return { migrated: store.migrated, repeatedErasures, waiting };
  } finally {
    await store.close();
  }
}

/** Gives the present database a second name, so that there is always a database. */
async function setAsideAs(location: string, damaged: boolean, now: Date): Promise<string> {
  const suffix = `.before-restore-${now.toISOString().replace(/[:.]/g, "-")}`;
  try {
    await link(location, location + suffix);
  } catch {
    // Not every file system has hard links.
    await rename(location, location + suffix);
  }
  for (const side of damaged ? ["-wal", "-shm"] : []) {
    await rename(location + side, `${location}${suffix}${side}`).catch(ignoreMissing);
  }
  return location + suffix;
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== "ENOENT") {
    throw new Error(`The damaged database can't be set aside: ${describeCauses(error)}`);
  }
}
