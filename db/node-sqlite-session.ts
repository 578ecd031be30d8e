import { setTimeout as delay } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SelectQueryNode,
} from "kysely";
import { DatabaseLockedError, isSqliteBusy } from "./sqlite-errors.ts";
import type { SqliteHandle, SqliteHandles } from "./sqlite-handles.ts";

const longestRetryMs = 20;

/** One user of the database: a query, or a transaction. */
export class NodeSqliteSession implements DatabaseConnection {
  readonly #handles: SqliteHandles;
  /** The connection that a transaction of this session runs on, while there is one. */
  #inTransaction: SqliteHandle | null = null;

  constructor(handles: SqliteHandles) {
    this.#handles = handles;
  }

  /**
   * A transaction takes the write lock at its start: one that read first and asked for the lock later would be refused
   * at once when another process had written in between.
   */
  async begin({ readOnly }: { readOnly: boolean }): Promise<void> {
    const handle = readOnly ? this.#handles.reader : this.#handles.writer;
    await this.#withLock(handle, (connection) => {
      if (!readOnly) this.#handles.assertInPlace();
      connection.exec(readOnly ? "begin" : "begin immediate");
      this.#inTransaction = handle;
    });
  }

  /** Throws, too, where the files were taken away meanwhile: what is in them then is nowhere. */
  async commit(): Promise<void> {
    const handle = this.#inTransaction;
    if (!handle) throw new Error("There is no transaction to commit.");
    const writes = handle === this.#handles.writer;
    if (writes) this.#handles.assertInPlace();
    handle.connection.exec("commit");
    this.rollback();
    if (writes) this.#handles.assertInPlace();
  }

  /** Ends the transaction, if there is one. SQLite may have ended it already, as it does when the disk is full. */
  rollback(): void {
    const handle = this.#inTransaction;
    if (!handle) return;
    this.#inTransaction = null;
    try {
      if (handle.connection.isTransaction) handle.connection.exec("rollback");
    } finally {
      handle.mutex.release();
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { reader, writer, lockTimeoutMs, assertInPlace } = this.#handles;
    if (this.#inTransaction) return run(this.#inTransaction, query);
    // Node runs a statement to its end at once, so a read needs no turn.
    if (isRead(query)) return await untilUnlocked(lockTimeoutMs, () => run<Row>(reader, query));
    const result = await this.#withLock(writer, () => {
      assertInPlace();
      return run<Row>(writer, query);
    });
    writer.mutex.release();
    assertInPlace();
    return result;
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  /** Does the work when the turn has come and no other process's lock is in the way, and keeps the turn. */
  async #withLock<Result>(
    { connection, mutex }: SqliteHandle,
    work: (connection: SqliteHandle["connection"]) => Result,
  ): Promise<Result> {
    const { lockTimeoutMs } = this.#handles;
    const askedAt = performance.now();
    await mutex.take(lockTimeoutMs, () => new DatabaseLockedError(lockTimeoutMs));
    try {
      const leftMs = askedAt + lockTimeoutMs - performance.now();
      return await untilUnlocked(leftMs, () => work(connection));
    } catch (error) {
      mutex.release();
      throw error;
    }
  }
}

/** Tries again for as long as another connection's lock is in the way; the first try comes at once. */
async function untilUnlocked<Result>(timeoutMs: number, work: () => Result): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const isLastTry = performance.now() >= deadline;
    try {
      return work();
    } catch (error) {
      if (isLastTry || !isSqliteBusy(error)) throw error;
    }
    await delay(1 + Math.random() * longestRetryMs);
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || /^\s*select\b/i.test(sql);
}

function run<Row>({ statements }: SqliteHandle, query: CompiledQuery): QueryResult<Row> {
  const statement = statements.prepare(query.sql);
  if (statement.reader) return { rows: statement.all(query.parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(query.parameters);
  return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) };
}
