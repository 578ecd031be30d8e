import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { type Migration, type MigrationResultSet, Migrator } from "kysely/migration";
import type { OpenDatabase } from "./database-handle.ts";

const migrationsFolder = join(import.meta.dirname, "migrations");

/** `2026-11-25T00-00-00-first.ts`, but no test. */
const migrationFileName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[a-z0-9-]+\.ts$/;

/** How long a migration waits for a lock on PostgreSQL; visitors' queries queue behind it. */
const lockWaitMs = 1_000;
/** Pause between tries, in which visitors' queries run; half is random, so that two migrations don't deadlock again. */
const lockRestMs = 1_000;
/** A backup holds its locks for as long as it runs. */
const lockTries = 20;
/** SQLSTATE: a lock timeout, or a deadlock. */
const lockCodes = new Set(["55P03", "40P01"]);

/**
 * Brings the schema up to date and returns the names of the migrations that this call applied, oldest first. Processes
 * may call it at the same moment: one migrates, the others wait and find nothing to do. Throws what a failed migration
 * threw; then none of this call's migrations has happened.
 */
export async function migrateToLatest(open: OpenDatabase): Promise<string[]> {
  const { error, results = [] } = await migrate(open);
  if (error !== undefined) {
    const failed = results.find((result) => result.status === "Error");
    const where = failed === undefined ? "" : ` at ${failed.migrationName}`;
    throw new Error(`Migrating the database failed${where}.`, { cause: error });
  }
  return results.map((result) => result.migrationName);
}

async function migrate(open: OpenDatabase): Promise<MigrationResultSet> {
  for (let attempt = 1; ; attempt += 1) {
    const done = await open.withoutTimeouts(
      (db) => new Migrator({ db, provider: { getMigrations: loadMigrations } }).migrateToLatest(),
      { lockWaitMs },
    );
    const { code } = (done.error ?? {}) as { code?: string };
    if (!lockCodes.has(code ?? "") || attempt === lockTries) return done;
    await delay(lockRestMs * (0.5 + Math.random() / 2));
  }
}

/** Names of the migrations that the database has not had yet, oldest first. Changes nothing. */
export async function pendingMigrations({ db }: OpenDatabase): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations } });
  const migrations = await migrator.getMigrations();
  return migrations.filter((migration) => !migration.executedAt).map(({ name }) => name);
}

/**
 * Names of the migrations that a newer version of the program has made in the database, oldest first. This one doesn't
 * start on it. Throws where no version has made any.
 */
export async function newerMigrations({ db }: OpenDatabase): Promise<string[]> {
  const known = await loadMigrations();
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !(name in known));
}

/** Every migration there is, by its name. */
export async function loadMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const file of (await readdir(migrationsFolder)).toSorted()) {
    if (migrationFileName.test(file)) {
      const url = pathToFileURL(join(migrationsFolder, file)).href;
      migrations[basename(file, ".ts")] = await import(/* @vite-ignore */ url);
    }
  }
  return migrations;
}
