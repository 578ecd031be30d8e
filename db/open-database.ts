import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import { openSqlite } from "./open-sqlite.ts";

export type DatabaseSettings = {
  /** The SQLite file's folder; made where it is missing. Not read with a `databaseUrl`. */
  dataDir: string;
  /** `postgres://user:password@host:port/name`, or null for SQLite. */
  databaseUrl: string | null;
  /** How many connections to PostgreSQL this process may hold. */
  databaseConnections?: number;
};

/**
 * Opens the product's database: PostgreSQL where an address is given, else the SQLite file `chalkline.sqlite` in the
 * data folder. The first query connects to PostgreSQL. Throws if the folder or file can't be used, or the address isn't
 * PostgreSQL's.
 */
export async function openDatabase(
  { dataDir, databaseUrl, databaseConnections }: DatabaseSettings,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  if (databaseUrl === null) return await openSqlite(dataDir, options);
  // Its client uses memory that a site on SQLite needn't spend.
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres(databaseUrl, { maxConnections: databaseConnections, ...options });
}
