import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import { openSqlite } from "./open-sqlite.ts";

export type DatabaseSettings = {
  dataDir: string;
  /** `postgres://user:password@host:port/name`; null for SQLite. */
  databaseUrl: string | null;
  databaseConnections?: number;
};

/**
 * Opens PostgreSQL, or else SQLite in the data folder. PostgreSQL connects at the first query.
 * Throws if the folder, file or address is unusable.
 */
export async function openDatabase(
  { dataDir, databaseUrl, databaseConnections }: DatabaseSettings,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  if (databaseUrl === null) return await openSqlite(dataDir, options);
  // Its client takes memory that SQLite doesn't need.
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres(databaseUrl, { maxConnections: databaseConnections, ...options });
}
