import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type Kysely, sql } from "kysely";
import { nextTorontoTime, torontoTime } from "#content/toronto-time.ts";
import { copyDatabase } from "#db/copy.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { createRecurringWork, endLease, takeLease } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";
import { findTargetFault, syncToDisk } from "#db/write-whole-file.ts";
import type { Config } from "#settings/settings.ts";
import { backUp, nameWhenSound } from "./backup.ts";

const dayMs = 86_400_000;
const wordsMaxLength = 500;

/** Made every night where they are made at all, so one that is two days old is late. */
export const backupLateMs = 2 * dayMs;

/** The last backup that was made, and the last that failed; null where there was none. */
export async function readBackupOutcomes(db: Kysely<Database>) {
  const rows = await db.selectFrom("backups").selectAll().execute();
  const last = (outcome: "made" | "failed") => rows.find((row) => row.outcome === outcome) ?? null;
  return { made: last("made"), failed: last("failed") };
}

type Backup = {
  folder: string;
  now: Date;
  /** Deletes those that are older, once this one is made; 0: none. */
  keepDays?: number;
  /** Added to the name of one that isn't a night's. */
  reason?: "before-restore";
  /** Of pg_dump. Without it PostgreSQL is copied into a SQLite file, which needs no tools of the server's version. */
  environment?: Environment;
};

/**
 * Puts a checked copy of either database into a folder, with its minute in its name. The database remembers how it went.
 */
export async function backUpInto(
  settings: DatabaseSettings,
  { folder, now, keepDays = 30, reason, environment }: Backup,
): Promise<Copied & { unnoted: string | null }> {
  const file = path.join(folder, backupName(now, reason));
  const made = await copyTo(settings, file, environment).catch(
    (error): Copied => ({ ok: false, why: describeCauses(error) }),
  );
  const unnoted = await noteOutcome(settings, made, now).then(() => null, describeCauses);
  if (made.ok) await deleteOld(made.file, keepDays === 0 ? 0 : now.getTime() - keepDays * dayMs);
  return { ...made, unnoted };
}

/** With its second where it isn't a night's, so that one never replaces another. */
export function backupName(now: Date, reason?: string): string {
  const name = `site-${torontoTime(now).replace(" ", "-").replace(":", "")}`;
  const seconds = String(now.getUTCSeconds()).padStart(2, "0");
  return reason ? `${name}-${seconds}-${reason}` : name;
}

type Environment = Record<string, string | undefined>;

type Copied = { ok: true; file: string } | { ok: false; why: string };

async function copyTo(
  settings: DatabaseSettings,
  copy: string,
  environment?: Environment,
): Promise<Copied> {
  const { databaseUrl } = settings;
  const file = `${copy}.${databaseUrl && environment ? "dump" : "sqlite"}`;
  if (await findTargetFault(file, { force: true }))
    return { ok: false, why: `there is no folder ${path.dirname(file)}` };
  if (databaseUrl !== null) {
    if (environment && (await sharesSessions(settings))) return { ok: false, why: throughPooler };
    if (environment) await dumpPostgres(databaseUrl, file, environment);
    else await copyPostgres(settings, file);
    return { ok: true, file };
  }
  const made = await backUp(settings, { target: file, force: true });
  if (made.ok) return { ok: true, file };
  return { ok: false, why: made.reason === "failed" ? made.why : "there is no database yet" };
}

/** As it was at one moment, and under its name once it is whole and sound. */
async function copyPostgres(settings: DatabaseSettings, file: string): Promise<void> {
  const source = await openDatabase(settings);
  try {
    await inWorkshop(path.dirname(file), async (dataDir) => {
      const target = await openDatabase({ dataDir, databaseUrl: null });
      try {
        await migrateToLatest(target);
        await copyDatabase(source, target);
      } finally {
        await target.close();
      }
      await nameWhenSound(target.location, file);
    });
  } finally {
    await source.close();
  }
}

const workshop = ".at-work-";

/** A folder beside the backups that only this user can read, for as long as the work goes on. */
export async function inWorkshop<Result>(
  folder: string,
  work: (place: string) => Promise<Result>,
): Promise<Result> {
  const place = await mkdtemp(path.join(folder, workshop));
  return await work(place).finally(() => rm(place, { recursive: true, force: true }));
}

const throughPooler =
  "DATABASE_URL leads through a pooler, and pg_dump would change the site's sessions there: " +
  "give this program alone the database's own address, by DATABASE_URL in its environment";

/** Whether two clients get one session in turn, or one client several, as from PgBouncer in transaction mode. */
async function sharesSessions(settings: DatabaseSettings): Promise<boolean> {
  const { db, close } = await openDatabase(settings);
  const sessionOf = async (client: Kysely<Database>) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(client)).rows[0]?.pid;
  try {
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
  } finally {
    await close();
  }
}

/** Gives the dump its name when it is whole. */
async function dumpPostgres(databaseUrl: string, file: string, environment: Environment) {
  const { addressForLibpq } = await import("#db/open-postgres.ts");
  const { address, password } = addressForLibpq(databaseUrl);
  const part = `${file}.${randomUUID()}.part`;
  try {
    // Made first, so that others can never read it.
    await (await open(part, "w", 0o600)).close();
    const what = ["--format=custom", "--no-owner", `--file=${part}`, `--dbname=${address}`];
    // Not among the arguments, which whoever lists the processes sees.
    await runTool("pg_dump", what, { ...environment, PGPASSWORD: password });
    await runTool("pg_restore", ["--list", part], environment);
    await syncToDisk(part);
    await rename(part, file);
    await syncToDisk(path.dirname(file));
  } finally {
    await rm(part, { force: true });
  }
}

async function runTool(name: string, parameters: string[], env: Environment) {
  const run = spawn(name, parameters, { env, stdio: ["ignore", "ignore", "pipe"] });
  const said = text(run.stderr);
  const code = await new Promise<number | null>((resolve, reject) => {
    run.once("error", (error) =>
      reject(
        errorCode(error) === "ENOENT"
          ? new Error(`there is no ${name} here: apt-get install postgresql-client`)
          : error,
      ),
    );
    run.once("close", resolve);
  });
  const words = (await said).trim().replace(/\s*\n\s*/g, "; ");
  if (code === 0) return;
  if (!words.includes("server version mismatch"))
    throw new Error(words || `${name} ended with ${code}`);
  const advice = "install that server's postgresql-client from apt.postgresql.org";
  throw new Error(
    `${name} here is older than the database: ${advice}, or let the running site back up, which needs none (${words})`,
  );
}

async function noteOutcome(settings: DatabaseSettings, made: Copied, now: Date): Promise<void> {
  const file = path.join(settings.dataDir, sqliteFileName);
  if (settings.databaseUrl === null && !(await stat(file).catch(() => null))) return;
  const database = await openDatabase(settings);
  try {
    const outcome = made.ok ? ("made" as const) : ("failed" as const);
    const words = made.ok ? path.basename(made.file) : made.why.slice(0, wordsMaxLength);
    const size_bytes = made.ok ? (await stat(made.file)).size : null;
    const row = { at: now.toISOString(), words, size_bytes };
    await database.db
      .insertInto("backups")
      .values({ outcome, ...row })
      .onConflict((known) => known.column("outcome").doUpdateSet(row))
      .execute();
  } finally {
    await database.close();
  }
}

/** What a process that was killed left at work goes after a day. */
async function deleteOld(newest: string, beforeMs: number): Promise<void> {
  const folder = path.dirname(newest);
  for (const name of await readdir(folder)) {
    const isWork = name.startsWith(workshop) || /^site-.*\.(?:part|tmp(?:-\w+)?)$/.test(name);
    const isOld = name !== path.basename(newest) && /^site-.*\.(?:sqlite|dump)$/.test(name);
    if (!isWork && !isOld) continue;
    const place = path.join(folder, name);
    // Another instance may have deleted it just now.
    const { mtimeMs } = (await stat(place).catch(() => null)) ?? { mtimeMs: Infinity };
    if (mtimeMs < (isWork ? Date.now() - dayMs : beforeMs))
      await rm(place, { recursive: true, force: true });
  }
}

/** Nobody's night is over before it, and a timer of the machine's own comes later. */
const nightlyAt = "03:30";
/** A site that has just started has other things to do. */
const settleMs = 10 * 60_000;
const tryAgainMs = 60 * 60_000;
const leaseMs = 60 * 60_000;

type Nightly = {
  db: Kysely<Database>;
  config: Pick<Config, "dataDir" | "databaseUrl" | "backupDays">;
  reportError: (error: unknown) => void;
};

/** Makes the night's backup, unless it is made or tried already. */
export async function backUpIfDue(
  { db, config }: Omit<Nightly, "reportError">,
  { now, holder }: { now: Date; holder: string },
): Promise<{ isDue: false } | ({ isDue: true } & Copied)> {
  if (config.backupDays === 0) return { isDue: false };
  const { made, failed } = await readBackupOutcomes(db);
  const last = nextTorontoTime(now.getTime() - dayMs, nightlyAt);
  // A time that is still to come was noted while the clock was wrong.
  const timeOf = (outcome: { at: string } | null) =>
    outcome && outcome.at <= now.toISOString() ? Date.parse(outcome.at) : 0;
  const isDue = timeOf(made) < last && now.getTime() - timeOf(failed) >= tryAgainMs;
  const lease = { name: "backup", holder, now, leaseMs };
  if (!isDue || !(await takeLease(db, lease))) return { isDue: false };
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const done = await backUpInto(config, { folder, now, keepDays: config.backupDays });
  await endLease(db, { name: "backup", holder, until: new Date() });
  return { isDue: true, ...done };
}

/** Every night by the running site, by one of its instances. */
export function createNightlyBackups({ reportError, ...site }: Nightly) {
  const holder = randomUUID();
  let isFirst = true;
  return createRecurringWork(async () => {
    if (isFirst) {
      isFirst = false;
      return settleMs;
    }
    try {
      const done = await backUpIfDue(site, { now: new Date(), holder });
      if (done.isDue && !done.ok) reportError(new Error(`The backup failed: ${done.why}`));
    } catch (error) {
      reportError(error);
    }
    return settleMs;
  });
}

export function backupFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return path.join(dataDir, "backups");
}
