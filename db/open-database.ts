import { existsSync } from "node:fs";
import path from "node:path";
import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import { openSqlite, sqliteFileName } from "./open-sqlite.ts";

export type DatabaseSettings = {
  dataDir: string;
  /** `postgres://user:password@host:port/name`; null for SQLite. */
  databaseUrl: string | null;
  databaseConnections?: number;
};

/** Whether opening makes no new file. PostgreSQL says so itself. */
export function isThere({ dataDir, databaseUrl }: DatabaseSettings): boolean {
  return databaseUrl !== null || existsSync(path.join(dataDir, sqliteFileName));
}

/** PostgreSQL connects at the first query. Throws if the folder, file or address is unusable. */
export async function openDatabase(
  { dataDir, databaseUrl, databaseConnections }: DatabaseSettings,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  if (databaseUrl === null) return await openSqlite(dataDir);
  // Its client takes memory that SQLite doesn't need.
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres(databaseUrl, { maxConnections: databaseConnections, ...options });
}
