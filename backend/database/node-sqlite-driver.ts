import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDriver,
  type TransactionSettings,
} from "kysely";
import { adaptNodeSqlite } from "./node-sqlite-adapter.ts";

/** SQLITE_BUSY, in the low byte of an extended result code (https://sqlite.org/rescode.html#busy). */
const sqliteBusy = 5;

const longestRetryMs = 20;

export class NodeSqliteDriver extends SqliteDriver {
  readonly #connection: DatabaseSync;
  readonly #busyTimeoutMs: number;

  constructor(connection: DatabaseSync, busyTimeoutMs: number) {
    super({ database: adaptNodeSqlite(connection) });
    this.#connection = connection;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /**
   * A transaction takes the write lock at its start: one that read first and asked for the lock later would be refused
   * at once when another process had written in between. It waits for the lock between short tries, so that the event
   * loop goes on meanwhile.
   */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    if (settings?.accessMode === "read only") {
      await connection.executeQuery(CompiledQuery.raw("begin deferred"));
      return;
    }
    const deadline = performance.now() + this.#busyTimeoutMs;
    while (!this.#tryBeginImmediate(performance.now() >= deadline)) {
      await delay(1 + Math.random() * longestRetryMs);
    }
  }

  #tryBeginImmediate(isLastTry: boolean): boolean {
    this.#connection.exec("pragma busy_timeout = 0");
    try {
      this.#connection.exec("begin immediate");
      return true;
    } catch (error) {
      if (isLastTry || !isSqliteBusy(error)) {
        throw error;
      }
      return false;
    } finally {
      this.#connection.exec(`pragma busy_timeout = ${this.#busyTimeoutMs}`);
    }
  }
}

/** True where SQLite refused because another connection holds a lock; the same call may succeed later. */
export function isSqliteBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === sqliteBusy
  );
}
