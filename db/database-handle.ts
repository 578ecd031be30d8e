import { type Kysely, PostgresAdapter } from "kysely";
import type { Database } from "./tables.ts";

export type OpenDatabase = {
  db: Kysely<Database>;
  kind: "sqlite" | "postgres";
  /** For people: the file's path, or the address without the password. */
  location: string;
  ping(): Promise<void>;
  /** Runs slow work without statement time-outs. `lockWaitMs` is PostgreSQL's. */
  withoutTimeouts<Result>(
    work: (db: Kysely<Database>) => Promise<Result>,
    limits?: { lockWaitMs?: number; onQueryError?: (error: unknown) => void },
  ): Promise<Result>;
  close(): Promise<void>;
};

export type OpenOptions = {
  onConnectionLost?: (error: Error) => void;
  /** PostgreSQL's statement time-out; short by default. */
  statementMs?: number;
  maxConnections?: number;
};

export function isPostgres(db: Pick<Kysely<Database>, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
