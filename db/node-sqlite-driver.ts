import type { DatabaseConnection, Driver, TransactionSettings } from "kysely";
import { NodeSqliteSession } from "./node-sqlite-session.ts";
import { DatabaseLockedError } from "./sqlite-errors.ts";
import type { SqliteHandles } from "./sqlite-handles.ts";

/**
 * Kysely's driver over two connections to one SQLite file. Whatever waits for a lock waits between short tries, so that
 * the event loop goes on meanwhile, and reads never wait for writes.
 */
export class NodeSqliteDriver implements Driver {
  readonly #handles: SqliteHandles;

  constructor(handles: SqliteHandles) {
    this.#handles = handles;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new NodeSqliteSession(this.#handles);
  }

  async beginTransaction(
    session: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await (session as NodeSqliteSession).begin({
      readOnly: settings.accessMode === "read only",
    });
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    await (session as NodeSqliteSession).commit();
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    (session as NodeSqliteSession).rollback();
  }

  async releaseConnection(session: DatabaseConnection): Promise<void> {
    (session as NodeSqliteSession).rollback();
  }

  async destroy(): Promise<void> {
    const { reader, writer, lockTimeoutMs } = this.#handles;
    const late = () => new DatabaseLockedError(lockTimeoutMs);
    for (const { connection, mutex } of [reader, writer]) {
      await mutex.take(lockTimeoutMs, late);
      connection.close();
    }
  }
}
