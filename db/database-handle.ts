import { type Kysely, PostgresAdapter } from "kysely";
import type { Database } from "./tables.ts";

/** A database as it is open, whichever it is. */
export type OpenDatabase = {
  db: Kysely<Database>;
  kind: "sqlite" | "postgres";
  /** Where it is, for people: the file's path, or the address without the password. */
  location: string;
  /** Asks for one row. Rejects where it can't be had. */
  ping(): Promise<void>;
  /**
   * Gives work that may take minutes, such as making an index, a way to the database that waits for it; on PostgreSQL for
   * a lock no longer than is said.
   */
  withoutTimeouts<Result>(
    work: (db: Kysely<Database>) => Promise<Result>,
    limits?: { lockWaitMs?: number },
  ): Promise<Result>;
  /**
   * Calls back for what is told on a channel, and whenever something may have been told unheard; answers how to stop. On
   * SQLite nothing is ever told.
   */
  listen(channel: string, onNotice: () => void): () => Promise<void>;
  /** Waits for running queries; a second call does nothing. */
  close(): Promise<void>;
};

/** A connection of PostgreSQL's pool was lost while nobody used it: worth a line in the log, no more. */
export type OnConnectionLost = (error: Error) => void;

/** A query failed; whoever asked hears of it too. */
export type OnQueryError = (error: unknown) => void;

/** True where the queries go to PostgreSQL, false where they go to SQLite. Works inside transactions too. */
export function isPostgres(db: Pick<Kysely<Database>, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
