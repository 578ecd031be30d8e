import type { DatabaseSync } from "node:sqlite";
import type { SqliteDatabase } from "kysely";
import type { Mutex } from "./mutex.ts";

/** A connection to the file and the order in which its transactions come. */
export type SqliteHandle = { connection: DatabaseSync; statements: SqliteDatabase; mutex: Mutex };

export type SqliteHandles = {
  writer: SqliteHandle;
  /** Reads what is committed, whoever holds the write lock. */
  reader: SqliteHandle;
  /** How long a write waits for its turn and for other processes' locks together. */
  lockTimeoutMs: number;
  /** Throws where the files are no longer those that were opened. */
  assertInPlace: () => void;
};
