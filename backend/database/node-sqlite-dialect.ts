import type { DatabaseSync } from "node:sqlite";
import { type Driver, SqliteAdapter, SqliteDialect } from "kysely";
import { adaptNodeSqlite } from "./node-sqlite-adapter.ts";
import { NodeSqliteDriver } from "./node-sqlite-driver.ts";

/** Kysely's SQLite dialect over Node's own `node:sqlite`, for a file that several processes write. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #connection: DatabaseSync;
  readonly #busyTimeoutMs: number;

  constructor(connection: DatabaseSync, busyTimeoutMs: number) {
    super({ database: adaptNodeSqlite(connection) });
    this.#connection = connection;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  override createDriver(): Driver {
    return new NodeSqliteDriver(this.#connection, this.#busyTimeoutMs);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

/**
 * SQLite's schema changes are transactional, though Kysely's adapter doesn't count on it. Saying so makes the migrator
 * work inside one transaction, which here takes the write lock first: processes that start together migrate one after
 * the other, and a crash leaves no half-made schema.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
