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
 * data folder. PostgreSQL is first connected to by the first query. Throws where the folder or file can't be used, or
 * the address is not one of PostgreSQL's.
 */
export function openDatabase(
  { dataDir, databaseUrl }: DatabaseSettings,
  onConnectionLost: OnConnectionLost = () => {},
  onQueryError: OnQueryError = () => {},
  /** How long PostgreSQL may take over one statement; the site's own, which is short, where it isn't said. */
  statementMs?: number,
): Promise<OpenDatabase> {
  return databaseUrl === null
    ? openSqlite(dataDir, onQueryError)
    : openPostgres(databaseUrl, onConnectionLost, onQueryError, statementMs);
}
