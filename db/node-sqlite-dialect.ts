import {
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { NodeSqliteDriver } from "./node-sqlite-driver.ts";
import type { SqliteHandles } from "./sqlite-handles.ts";

/** Kysely's SQLite dialect over Node's own `node:sqlite`, for a file that several processes write. */
export class NodeSqliteDialect implements Dialect {
  readonly #handles: SqliteHandles;

  constructor(handles: SqliteHandles) {
    this.#handles = handles;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#handles);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** The driver itself keeps the order, so that reads need not stand in line behind a write that waits for a lock. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /**
   * SQLite's schema changes are transactional, though Kysely's adapter doesn't count on it. Saying so makes the
   * migrator work inside one transaction, which here takes the write lock first: processes that start together migrate
   * one after the other, and a crash leaves no half-made schema.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
