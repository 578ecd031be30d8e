import type { TestDatabase } from "./databases.ts";

/** The environment in which a command works on a test's database, with a folder for what isn't in PostgreSQL. */
export function commandSettings(
  { settings }: TestDatabase,
  folder: string,
): Record<string, string> & { DATA_DIR: string } {
  return settings.databaseUrl === null
    ? { DATA_DIR: settings.dataDir }
    : { DATA_DIR: folder, DATABASE_URL: settings.databaseUrl };
}
