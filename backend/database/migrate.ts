import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Migration, Migrator } from "kysely/migration";
import type { OpenDatabase } from "./database-handle.ts";

const migrationsFolder = join(import.meta.dirname, "..", "..", "migrations");

/** `2026-11-21T00-00-00-first-tables.ts`, and not a test beside it. */
const migrationFileName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[a-z0-9-]+\.ts$/;

/**
 * Brings the schema up to date and gives the names of the migrations that this call applied, oldest first. Processes
 * may call it at the same moment: one migrates, the others wait and find nothing to do. Throws what a failed migration
 * threw; then none of this call's migrations has happened.
 */
export async function migrateToLatest(open: OpenDatabase): Promise<string[]> {
  const { error, results = [] } = await open.withoutTimeouts((db) =>
    new Migrator({ db, provider: { getMigrations: loadMigrations } }).migrateToLatest(),
  );
  if (error !== undefined) {
    const failed = results.find((result) => result.status === "Error");
    const where = failed === undefined ? "" : ` at ${failed.migrationName}`;
    throw new Error(`Migrating the database failed${where}.`, { cause: error });
  }
  return results.map((result) => result.migrationName);
}

/** Names of the migrations that the database has not had yet, oldest first. Changes nothing. */
export async function pendingMigrations({ db }: OpenDatabase): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations } });
  const migrations = await migrator.getMigrations();
  return migrations.filter((migration) => !migration.executedAt).map(({ name }) => name);
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
