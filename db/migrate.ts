import fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Kysely, sql } from "kysely";
import { FileMigrationProvider, type MigrationResultSet, Migrator } from "kysely/migration";
import { isPostgres, type OpenDatabase } from "./database-handle.ts";
import { errorCode } from "./describe-causes.ts";
import type { Database } from "./tables.ts";

const provider = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: path.join(import.meta.dirname, "migrations"),
  import: (file) => import(/* @vite-ignore */ pathToFileURL(file).href),
});

const lockWaitMs = 1_000;
/** Kysely's own number. */
const migrationLock = "3853314791062309107";

/**
 * Returns the names of the migrations applied: all or none. Processes may call it at once. Waits a second for a lock, then
 * lets visitors' queries pass; twenty times, since a backup holds its locks.
 */
export async function migrateToLatest(open: OpenDatabase): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    let first: unknown;
    const limits = { lockWaitMs, onQueryError: (error: unknown) => (first ??= error) };
    const { error, results = [] } = await open.withoutTimeouts(migrateInTransaction, limits);
    if (error === undefined) return results.map(({ migrationName }) => migrationName);
    // Later statements report only this code.
    const cause = errorCode(error) === "25P02" ? explainRights(first) : error;
    if (attempt === 20 || !["55P03", "40P01"].includes(errorCode(cause))) {
      const failed = results.find(({ status }) => status === "Error");
      const where = failed === undefined ? "" : ` at ${failed.migrationName}`;
      throw new Error(`Migrating the database failed${where}.`, { cause });
    }
    // Random, so that two migrations don't deadlock again.
    await delay(500 + 500 * Math.random());
  }
}

/** Locks by transaction: a pooler would leave a session's lock behind. */
async function migrateInTransaction(db: Kysely<Database>): Promise<MigrationResultSet> {
  let done: MigrationResultSet = {};
  try {
    await db.transaction().execute(async (trx) => {
      if (isPostgres(trx)) {
        await sql`select set_config('lock_timeout', '1h', true)`.execute(trx);
        await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
        await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(trx);
      }
      done = await new Migrator({ db: trx, provider }).migrateToLatest();
      if (done.error !== undefined) throw done.error;
    });
    return done;
  } catch (error) {
    return { ...done, error };
  }
}

function explainRights(error: unknown): unknown {
  if (errorCode(error) !== "42501") return error;
  const advice =
    "The role may make no tables. As the database's owner: alter database NAME owner to ROLE, or, in that database, grant create on schema public to ROLE";
  return new Error(advice, { cause: error });
}

/** Pending migrations, oldest first. */
export async function pendingMigrations({ db }: OpenDatabase): Promise<string[]> {
  const migrations = await new Migrator({ db, provider }).getMigrations();
  return migrations.filter((migration) => !migration.executedAt).map(({ name }) => name);
}

/** Migrations of a newer version, oldest first; the program then refuses to start. */
export async function newerMigrations({ db }: OpenDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  const known = await knownMigrations();
  return rows.map(({ name }) => name).filter((name) => !known.includes(name));
}

export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await provider.getMigrations());
}
