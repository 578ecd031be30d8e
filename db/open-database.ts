import type { OnConnectionLost, OnQueryError, OpenDatabase } from "./database-handle.ts";
import { openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";

export type DatabaseSettings = {
  /** The folder that holds the SQLite file; made where it is missing. Not read with a `databaseUrl`. */
  dataDir: string;
  /** `postgres://user:password@host:port/name`, or null for SQLite. */
  databaseUrl: string | null;
};

/**
 * Opens the product's database: PostgreSQL where an address is given, else the SQLite file `chalkline.sqlite` in the
 * data folder. The first query connects to PostgreSQL. Throws if the folder or file can't be used, or the address isn't
 * PostgreSQL's.
 */
export function openDatabase(
  { dataDir, databaseUrl }: DatabaseSettings,
  onConnectionLost: OnConnectionLost = () => {},
  onQueryError: OnQueryError = () => {},
  /** PostgreSQL's time-out for a statement; by default short, for visitors. */
  statementMs?: number,
): Promise<OpenDatabase> {
  return databaseUrl === null
    ? openSqlite(dataDir, onQueryError)
    : openPostgres(databaseUrl, onConnectionLost, onQueryError, statementMs);
}
