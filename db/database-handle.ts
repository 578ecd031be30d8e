import { type Kysely, PostgresAdapter } from "kysely";
import type { Database } from "./tables.ts";

export type OpenDatabase = {
  db: Kysely<Database>;
  kind: "sqlite" | "postgres";
  /** For people: the file's path, or the address without the password. */
  location: string;
  /** Reads one row. Rejects if the database doesn't answer. */
  ping(): Promise<void>;
  /**
   * Runs work that may take minutes, such as creating an index, without statement time-outs. On PostgreSQL, `lockWaitMs`
   * limits the wait for a lock. `onQueryError` is told of each failed statement, the first of a transaction too.
   */
  withoutTimeouts<Result>(
    work: (db: Kysely<Database>) => Promise<Result>,
    limits?: { lockWaitMs?: number; onQueryError?: (error: unknown) => void },
  ): Promise<Result>;
  /** Waits for running queries; a second call does nothing. */
  close(): Promise<void>;
};

export type OpenOptions = {
  /** Called when an idle connection to PostgreSQL was lost. */
  onConnectionLost?: (error: Error) => void;
  /** Called when a query failed, which also rejects for its caller. */
  onQueryError?: (error: unknown) => void;
  /** PostgreSQL's time-out for a statement; by default short, for visitors. */
  statementMs?: number;
  maxConnections?: number;
};

/** Works inside transactions too. */
export function isPostgres(db: Pick<Kysely<Database>, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
