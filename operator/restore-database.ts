import { copyFile, mkdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { newerMigrations } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { isSqliteBusy, isSqliteDamaged, sqliteFileName } from "#db/open-sqlite.ts";
import { countOutbox } from "#mail/outbox-list.ts";
import { backupFolder, inWorkshop } from "./nightly-backup.ts";
import { openStore } from "./open-store.ts";
import { withBackup } from "./read-backup.ts";
import { type NotRestored, type RestoredBackup, restoreBackup } from "./restore-backup.ts";

// A restore at the terminal: as at the desk, and also where there is no database yet, or none that the program can use.

/** Whether a backup can be restored: `replaces` says that there may be something in its place. */
export async function checkRestore(
  { databaseUrl, dataDir }: DatabaseSettings,
  file: string,
): Promise<
  | { ok: true; location: string; replaces: boolean }
  | { ok: false; reason: "no_file" | "is_database" }
> {
  if (!(await isFile(file))) return { ok: false, reason: "no_file" };
  if (databaseUrl !== null) {
    const { location, close } = await openDatabase({ dataDir, databaseUrl });
    await close();
    return { ok: true, location, replaces: true };
  }
  const location = path.join(dataDir, sqliteFileName);
  if (file === path.resolve(location)) return { ok: false, reason: "is_database" };
  return { ok: true, location, replaces: await isFile(location) };
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() === true;
}

type Restored = RestoredBackup & {
  /** A database that the program couldn't use, whose file has this name now. */
  setAside: string | null;
  /** Mails and calls that go out by themselves. */
  waiting: number;
};

type RestoreResult =
  | Restored
  | NotRestored
  /** What is there can't be used, and only a file that nobody has open can be set aside. */
  | { ok: false; reason: "in_use" | "newer_here" };

type Restore = Parameters<typeof restoreBackup>[1];

/** Puts a backup that {@link checkRestore} let pass in the place of what the database holds, beside the running site. */
export async function restoreDatabase(
  settings: DatabaseSettings,
  { file, now, isSiteUp }: Pick<Restore, "file" | "now"> & { isSiteUp: () => Promise<boolean> },
): Promise<RestoreResult> {
  const folder = backupFolder(settings);
  const restore = { file, folder, settings, now };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await examineDatabase(settings);
    if (found === "used") return await restoreInto(settings, restore);
    // Nothing is made or moved for a backup that can't be restored.
    const unfit = await withBackup(file, folder, async () => null);
    if (unfit) return unfit;
    if (settings.databaseUrl === null) {
      const location = path.join(settings.dataDir, sqliteFileName);
      const isThere = await isFile(location);
      if (isThere && (await isOpenElsewhere(location, isSiteUp)))
        return { ok: false, reason: "in_use" };
      return await restoreAnew(location, isThere, restore);
    }
    if (found === "unusable") return { ok: false, reason: "newer_here" };
    return await restoreInto(settings, { ...restore, isNew: true });
  } catch (error) {
    return { ok: false, reason: "failed", why: describeCauses(error) };
  }
}

async function restoreInto(
  settings: DatabaseSettings,
  restore: Restore,
): Promise<Restored | NotRestored> {
  const store = await openStore(settings);
  try {
    const restored = await restoreBackup(store, restore);
    if (!restored.ok) return restored;
    return { ...restored, setAside: null, waiting: (await countOutbox(store.db)).waiting };
  } finally {
    await store.close();
  }
}

/** `unusable`: damaged, or brought up to date by a newer version of the program. */
async function examineDatabase(
  settings: DatabaseSettings,
): Promise<"missing" | "used" | "unusable"> {
  if (settings.databaseUrl === null) {
    const location = path.join(settings.dataDir, sqliteFileName);
    if (!(await isFile(location))) return "missing";
    if (!isSound(location)) return "unusable";
  }
  const open = await openDatabase(settings);
  try {
    const tables = await open.db.introspection.getTables({ withInternalKyselyTables: true });
    if (!tables.some(({ name }) => name === "kysely_migration")) return "missing";
    return (await newerMigrations(open)).length > 0 ? "unusable" : "used";
  } finally {
    await open.close();
  }
}

function isSound(location: string): boolean {
  const connection = new DatabaseSync(location, { readOnly: true, timeout: lockTimeoutMs });
  try {
    const [found] = connection.prepare("pragma integrity_check(1)").all();
    return found?.integrity_check === "ok";
  } catch (error) {
    if (isSqliteDamaged(error)) return false;
    throw error;
  } finally {
    connection.close();
  }
}

const lockTimeoutMs = 1_000;
const sides = ["", "-wal", "-shm"];

/**
 * Makes the new database beside the former one, from which it reads who was erased or left, and what was sent, as far as
 * that goes, and then takes its place: a process that is killed leaves the former one or none.
 */
async function restoreAnew(
  location: string,
  isThere: boolean,
  restore: Restore,
): Promise<Restored | NotRestored> {
  const aside = `${location}.before-restore-${restore.now.toISOString().replace(/[:.]/g, "-")}`;
  return await inWorkshop(restore.folder, async (place) => {
    const formerFolder = path.join(place, "former");
    await mkdir(formerFolder);
    const former = isThere ? await openFormer(location, formerFolder) : null;
    const settings = { databaseUrl: null, dataDir: path.join(place, "new") };
    const options = { ...restore, settings, isNew: true, former: former?.db ?? null };
    const restored = await restoreInto(settings, options).finally(former?.close);
    if (!restored.ok) return restored;
    await moveDatabase(location, aside);
    await moveDatabase(path.join(settings.dataDir, sqliteFileName), location).catch(
      async (error) => {
        await moveDatabase(aside, location);
        throw error;
      },
    );
    return { ...restored, setAside: isThere ? aside : null };
  });
}

/** Also merges the write-ahead log, so that the file can be moved alone. A damaged file may not say who has it open. */
async function isOpenElsewhere(
  location: string,
  isSiteUp: () => Promise<boolean>,
): Promise<boolean> {
  const connection = new DatabaseSync(location, { timeout: lockTimeoutMs });
  try {
    connection.exec("pragma journal_mode = delete");
    return false;
  } catch (error) {
    return isSqliteBusy(error) || (await isSiteUp());
  } finally {
    connection.close();
  }
}

/** A copy, since whoever opens a database may write to it. Null where it can't be opened. */
async function openFormer(file: string, dataDir: string) {
  for (const side of sides)
    await ignoreMissing(copyFile(file + side, path.join(dataDir, sqliteFileName + side)));
  return await openDatabase({ dataDir, databaseUrl: null }).catch(() => null);
}

async function moveDatabase(from: string, to: string): Promise<void> {
  for (const side of sides) await ignoreMissing(rename(from + side, to + side));
}

async function ignoreMissing(work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    if (errorCode(error) !== "ENOENT") throw error;
  });
}
