import type { Kysely } from "kysely";
import { openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";
import type { Database } from "./tables.ts";

export type DatabaseSettings = {
  /** The folder that holds the SQLite file; made where it is missing. Not read with a `databaseUrl`. */
  dataDir: string;
  /** `postgres://user:password@host:port/name`, or null for SQLite. */
  databaseUrl: string | null;
};

export type OpenDatabase = {
  db: Kysely<Database>;
  kind: "sqlite" | "postgres";
  /** Where it is, for people: the file's path, or the address without the password. */
  location: string;
  /** Asks for one row. Rejects where it can't be had, or where the file is no longer in its place. */
  ping(): Promise<void>;
  /** Gives work that may take minutes, such as making an index, a way to the database that waits for it. */
  withoutTimeouts<Result>(work: (db: Kysely<Database>) => Promise<Result>): Promise<Result>;
  /** Waits for running queries; a second call does nothing. */
  close(): Promise<void>;
};

/** A connection of PostgreSQL's pool was lost while nobody used it: worth a line in the log, no more. */
export type OnConnectionLost = (error: Error) => void;

/** A query failed; whoever asked hears of it too. */
export type OnQueryError = (error: unknown) => void;

/**
 * Opens the product's database: PostgreSQL where an address is given, else the SQLite file `chalkline.sqlite` in the
 * data folder. PostgreSQL is first connected to by the first query. Throws where the folder or file can't be used, or
 * the address is not one of PostgreSQL's.
 */
export function openDatabase(
  { dataDir, databaseUrl }: DatabaseSettings,
  onConnectionLost: OnConnectionLost = () => {},
  onQueryError: OnQueryError = () => {},
): Promise<OpenDatabase> {
  return databaseUrl === null
    ? openSqlite(dataDir, onQueryError)
    : openPostgres(databaseUrl, onConnectionLost, onQueryError);
}
