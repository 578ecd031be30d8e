import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { type Kysely, sql } from "kysely";
import { describeCauses, errorCode } from "./describe-causes.ts";
import { knownMigrations } from "./migrate.ts";
import { type DatabaseSettings, openDatabase } from "./open-database.ts";
import { sqliteFileName } from "./open-sqlite.ts";
import { createRecurringWork, endLease, takeLease } from "./recurring-work.ts";
import type { Database } from "./tables.ts";
import { makeWholeFile } from "./write-whole-file.ts";

// A backup is one file by the database's own means, and its name says when it was made.

/** `environment` is that of PostgreSQL's programs. */
export type Place = DatabaseSettings & { environment?: Record<string, string | undefined> };

type Folder = Pick<Place, "dataDir">;

export type Backup = {
  name: string;
  madeAt: string;
  sizeBytes: number;
  /** As far as its first bytes tell. */
  isDamaged: boolean;
  isMadeHere: boolean;
  isBeforeRestore: boolean;
};

const dayMs = 86_400_000;
/** One that is two nights old is late. */
export const backupLateMs = 2 * dayMs;

export function backupFolder({ dataDir }: Folder): string {
  return path.resolve(dataDir, "backups");
}

/** `site-2026-11-29T083000Z.sqlite`; `suffix` is `-before-restore` for one that is made before a restore. */
export function nameAt({ databaseUrl }: Place, at: string, suffix = ""): string {
  const kind = databaseUrl === null ? "sqlite" : "dump";
  return `site-${at.replace(/\.\d+/, "").replaceAll(":", "")}${suffix}.${kind}`;
}

const shape = /^site-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)Z(-before-restore)?[-.]/;

/** Reads a backup's name; null for a file that was named elsewhere. */
export function readName(name: string) {
  const [whole, hour, minute, second, before] = shape.exec(name) ?? [];
  const madeAt = `${hour}:${minute}:${second}.000Z`;
  if (whole === undefined || Number.isNaN(Date.parse(madeAt))) return null;
  return { madeAt, isBeforeRestore: before !== undefined, isMadeHere: true };
}

/** Any database or dump in the folder, whoever put it there. */
export async function findBackup(place: Folder, name: string): Promise<Backup | null> {
  if (!/^\w[\w.-]*\.(?:sqlite|dump)$/.test(name)) return null;
  const file = path.join(backupFolder(place), name);
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return null;
  const isDamaged = (await kindOf(file).catch(() => null)) === null;
  const madeAt = found.mtime.toISOString();
  const elsewhere = { madeAt, isBeforeRestore: false, isMadeHere: false };
  return { name, sizeBytes: found.size, isDamaged, ...(readName(name) ?? elsewhere) };
}

/** The newest first. */
export async function listBackups(place: Folder): Promise<Backup[]> {
  const names = await readdir(backupFolder(place)).catch(() => []);
  const found = await Promise.all(names.map((name) => findBackup(place, name)));
  return found
    .filter((backup) => backup !== null)
    .toSorted((a, b) => b.madeAt.localeCompare(a.madeAt));
}

const failureFile = (place: Folder) => path.join(backupFolder(place), "failed.txt");

/** The last backup that was made here, and why a later one failed. */
export async function readBackupState(place: Folder) {
  const made = (await listBackups(place)).find(({ isMadeHere }) => isMadeHere) ?? null;
  const file = failureFile(place);
  const words = await readFile(file, "utf8").catch(() => null);
  const at = words && (await stat(file)).mtime.toISOString();
  return { made, failed: words && at ? { at, words } : null };
}

/** Puts one into the folder, and deletes those that have been there for longer than `keepDays`; 0: none. */
export async function backUp(
  place: Place,
  { now, keepDays, signal }: { now: Date; keepDays: number; signal?: AbortSignal | undefined },
): Promise<{ ok: true; name: string } | { ok: false; problem: string }> {
  const folder = backupFolder(place);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = nameAt(place, now.toISOString());
    await copyDatabaseTo(place, path.join(folder, name), signal);
    await rm(failureFile(place), { force: true });
    if (keepDays > 0) await deleteOld(folder, now.getTime() - keepDays * dayMs);
    return { ok: true, name };
  } catch (error) {
    const problem = describeCauses(error);
    const isNoted = !signal?.aborted;
    if (isNoted) await writeFile(failureFile(place), problem, { mode: 0o600 }).catch(() => {});
    return { ok: false, problem };
  }
}

async function deleteOld(folder: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.(?:sqlite|dump|tmp)$/.test(name)) continue;
    const file = path.join(folder, name);
    // Another instance may have deleted it just now. What a killed process left goes after a day.
    const { mtimeMs } = (await stat(file).catch(() => null)) ?? { mtimeMs: Infinity };
    if (mtimeMs < (name.endsWith(".tmp") ? Date.now() - dayMs : beforeMs)) await rm(file);
  }
}

/** Copies the database as it is at one moment to a file, which is there once it is whole and sound. Throws in words. */
export async function copyDatabaseTo(
  place: Place,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  if (place.databaseUrl === null) {
    const location = path.resolve(place.dataDir, sqliteFileName);
    return await makeWholeFile(file, (part) => runSqlite(["copy", location, part], signal));
  }
  const { address, schema, env } = await readTarget(place);
  await makeWholeFile(file, async (part) => {
    const what = ["--format=custom", "--no-owner", `--schema="${schema}"`, `--file=${part}`];
    await runProgram("pg_dump", [...what, `--dbname=${address}`], { env, signal });
    await runProgram("pg_restore", ["--list", part], { env, signal });
  });
}

/** Throws, in words, where a file is no sound backup. */
export async function checkBackup(place: Place, file: string): Promise<void> {
  if ((await kindOf(file)) === "sqlite") await runSqlite(["check", file]);
  else await runProgram("pg_restore", ["--list", file], { env: place.environment ?? {} });
}

/** By its first bytes. Throws, in words, where it is neither. */
export async function kindOf(file: string): Promise<"sqlite" | "dump"> {
  const handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(32), 0, 32, 0).finally(() => handle.close());
  const first = buffer.toString("latin1");
  if (first.startsWith("SQLite format 3\0")) {
    // A page of 65,536 bytes is written as 1 (https://sqlite.org/fileformat2.html#the_database_header).
    const size =
      buffer.readUInt32BE(28) * (buffer.readUInt16BE(16) === 1 ? 65_536 : buffer.readUInt16BE(16));
    if ((await stat(file)).size < size) throw new Error("its end is missing");
    return "sqlite";
  }
  if (first.startsWith("PGDMP")) return "dump";
  throw new Error("it is no SQLite file and none of pg_dump --format=custom");
}

/** Runs sqlite-copy.ts in a child process. */
export async function runSqlite(words: string[], signal?: AbortSignal): Promise<void> {
  const program = path.join(import.meta.dirname, "sqlite-copy.ts");
  const known = JSON.stringify(await knownMigrations());
  await runProgram(process.execPath, [program, ...words, known], { signal });
}

type Running = { env?: Place["environment"]; signal?: AbortSignal | undefined };

/** Ends the program when the signal aborts. Throws what it says where it fails. */
async function runProgram(name: string, words: string[], running: Running): Promise<void> {
  try {
    await promisify(execFile)(name, words, { ...running, maxBuffer: Number.POSITIVE_INFINITY });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const said = stderr.trim().replace(/\s*\n\s*/g, "; ");
    throw explainTool(name, said ? new Error(said) : error);
  }
}

export function explainTool(name: string, error: unknown): unknown {
  if (errorCode(error) === "ENOENT")
    return new Error(`there is no ${name} here: apt-get install postgresql-client`);
  if (!/server version mismatch|unsupported version/.test(String(error))) return error;
  const advice = "install the postgresql-client of that version from apt.postgresql.org";
  return new Error(`${name} here is too old: ${advice}`, { cause: error });
}

/** How PostgreSQL's programs reach the database: the password isn't among the words, which whoever lists processes sees. */
export async function readTarget({ databaseUrl, dataDir, environment }: Place) {
  const { addressForLibpq } = await import("./open-postgres.ts");
  const { address, password } = addressForLibpq(databaseUrl ?? "");
  const { db, close } = await openDatabase({ databaseUrl, dataDir });
  try {
    if (await sharesSessions(db)) throw new Error(throughPooler);
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
    const { schema = "public" } = rows[0] ?? {};
    return { address, schema, env: { ...environment, PGPASSWORD: password } };
  } finally {
    await close();
  }
}

const throughPooler =
  "DATABASE_URL leads through a pooler, whose sessions PostgreSQL's programs would change: give the " +
  "database's own address, or let its host back it up and set BACKUP_DAYS=0";

/** Whether two clients get one session in turn, or one client several, as from PgBouncer in transaction mode. */
async function sharesSessions(db: Kysely<Database>): Promise<boolean> {
  const sessionOf = async (client: Kysely<Database>) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(client)).rows[0]?.pid;
  return await db.connection().execute((one) =>
    db.connection().execute(async (other) => {
      for (let tries = 0; tries < 5; tries += 1) {
        const first = await sessionOf(one);
        const second = await sessionOf(one);
        if (first !== second || second === (await sessionOf(other))) return true;
      }
      return false;
    }),
  );
}

const lookEveryMs = 10 * 60_000;
const hourMs = 60 * 60_000;

type Nightly = {
  db: Kysely<Database>;
  place: Place;
  keepDays: () => number;
  /** The last hour at which one was due, in milliseconds since 1970. */
  dueAt: (now: Date) => number;
};

/** Makes the night's backup, unless it is made, or was tried within the hour. One of several instances on a machine does. */
export async function backUpIfDue(
  { db, place, keepDays, dueAt }: Nightly,
  { now, signal }: { now: Date; signal?: AbortSignal },
) {
  const { made, failed } = await readBackupState(place);
  const isDue = made === null || Date.parse(made.madeAt) < dueAt(now);
  const isTried = failed !== null && now.getTime() - Date.parse(failed.at) < hourMs;
  if (keepDays() === 0 || !isDue || isTried) return null;
  const lease = { name: `backup into ${backupFolder(place)}`, holder: randomUUID() };
  if (!(await takeLease(db, { ...lease, now, leaseMs: hourMs }))) return null;
  const done = await backUp(place, { now, keepDays: keepDays(), signal });
  await endLease(db, { ...lease, until: new Date() });
  return done;
}

export function createNightlyBackups({
  reportError,
  ...nightly
}: Nightly & { reportError: (error: unknown) => void }) {
  return createRecurringWork(async (signal) => {
    // First, since a site that has just started has other things to do.
    await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return 0;
    try {
      const done = await backUpIfDue(nightly, { now: new Date(), signal });
      if (done?.ok === false) throw new Error(`The backup failed: ${done.problem}`);
    } catch (error) {
      if (!signal.aborted) reportError(error);
    }
    return 0;
  });
}
