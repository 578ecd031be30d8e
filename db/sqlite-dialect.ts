import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely";

// Kysely's SQLite dialect over `node:sqlite`, for a file that several processes write. Writes take turns on one connection.
// Reads use another and never wait for a write. Another process's lock is waited for by retries, which don't block the
// event loop.

export type SqliteConnections = {
  writer: DatabaseSync;
  reader: DatabaseSync;
  /** How long a write waits for its turn and for other processes' locks in total. */
  lockTimeoutMs: number;
};

export function createSqliteDialect(connections: SqliteConnections): Dialect {
  return {
    createDriver: () => createDriver(connections),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

class Adapter extends SqliteAdapter {
  /** The driver itself lets writes take turns. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /**
   * Makes the migrator work inside one transaction, which takes the write lock first: processes that start together
   * migrate one after the other.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver({ writer, reader, lockTimeoutMs }: SqliteConnections): Driver {
  const [writes, reads] = [createHandle(writer), createHandle(reader)];
  return {
    async init() {},
    acquireConnection: async () => new Session(writes, reads, lockTimeoutMs),
    beginTransaction: async (session: DatabaseConnection, { accessMode }: TransactionSettings) =>
      await (session as Session).begin(accessMode === "read only"),
    commitTransaction: async (session: DatabaseConnection) => (session as Session).commit(),
    rollbackTransaction: async (session: DatabaseConnection) => (session as Session).rollback(),
    releaseConnection: async (session: DatabaseConnection) => (session as Session).rollback(),
    async destroy() {
      for (const { connection, turns } of [reads, writes]) {
        await turns.take(lockTimeoutMs);
        connection.close();
      }
    },
  };
}

type Handle = { connection: DatabaseSync; prepare: (sql: string) => StatementSync; turns: Turns };

/** The product has some dozens of statements. */
const cachedStatementsMax = 200;

function createHandle(connection: DatabaseSync): Handle {
  const cache = new Map<string, StatementSync>();
  function prepare(sql: string): StatementSync {
    const statement = cache.get(sql) ?? connection.prepare(sql);
    // Reinserted at the end: the first key is the least recently used.
    cache.delete(sql);
    cache.set(sql, statement);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size > cachedStatementsMax) cache.delete(oldest);
    return statement;
  }
  return { connection, prepare, turns: createTurns() };
}

/** One user of the database: a query, or a transaction. */
class Session implements DatabaseConnection {
  readonly #writes: Handle;
  readonly #reads: Handle;
  readonly #lockTimeoutMs: number;
  /** The connection of the open transaction, if there is one. */
  #inTransaction: Handle | null = null;

  constructor(writes: Handle, reads: Handle, lockTimeoutMs: number) {
    this.#writes = writes;
    this.#reads = reads;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  /**
   * A transaction takes the write lock at its start: SQLite refuses one that reads first, if another process writes before
   * it asks for the lock.
   */
  async begin(readOnly: boolean): Promise<void> {
    const handle = readOnly ? this.#reads : this.#writes;
    await this.#inTurn(handle, () =>
      handle.connection.exec(readOnly ? "begin" : "begin immediate"),
    );
    this.#inTransaction = handle;
  }

  commit(): void {
    if (!this.#inTransaction) throw new Error("There is no transaction to commit.");
    this.#inTransaction.connection.exec("commit");
    this.rollback();
  }

  /** Ends the transaction, if there is one. SQLite may have ended it already, as it does when the disk is full. */
  rollback(): void {
    const handle = this.#inTransaction;
    if (!handle) return;
    this.#inTransaction = null;
    try {
      if (handle.connection.isTransaction) handle.connection.exec("rollback");
    } finally {
      handle.turns.release();
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#inTransaction) return run(this.#inTransaction, query);
    // Node runs a statement to its end at once, so a read needs no turn.
    if (isRead(query))
      return await untilUnlocked(this.#lockTimeoutMs, () => run(this.#reads, query));
    const result = await this.#inTurn(this.#writes, () => run<Row>(this.#writes, query));
    this.#writes.turns.release();
    return result;
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  /** Does the work when its turn has come and no other process has the lock. The caller ends the turn. */
  async #inTurn<Result>({ turns }: Handle, work: () => Result): Promise<Result> {
    const askedAt = performance.now();
    await turns.take(this.#lockTimeoutMs);
    try {
      return await untilUnlocked(askedAt + this.#lockTimeoutMs - performance.now(), work);
    } catch (error) {
      turns.release();
      throw error;
    }
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || /^\s*select\b/i.test(sql);
}

function run<Row>({ prepare }: Handle, query: CompiledQuery): QueryResult<Row> {
  const statement = prepare(query.sql);
  const parameters = query.parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) };
}

/** Retries while another connection has the lock. */
async function untilUnlocked<Result>(timeoutMs: number, work: () => Result): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const isLastTry = performance.now() >= deadline;
    try {
      return work();
    } catch (error) {
      if (isLastTry || !isSqliteBusy(error)) throw error;
    }
    await delay(1 + Math.random() * 20);
  }
}

/** Admits one at a time, in order. */
type Turns = {
  /** Rejects if the turn doesn't come in time. */
  take(timeoutMs: number): Promise<void>;
  release(): void;
};

/** One write a round of the event loop: many at once would otherwise keep it from accepting connections. */
const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

function createTurns(): Turns {
  const waiting = new Set<() => void>();
  let isTaken = false;

  async function wait(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(begin);
      reject(new DatabaseLockedError(timeoutMs));
    }, timeoutMs);
    function begin() {
      clearTimeout(timer);
      resolve();
    }
    waiting.add(begin);
    await promise;
  }

  return {
    async take(timeoutMs) {
      if (isTaken) await wait(timeoutMs);
      isTaken = true;
      await nextRound();
    },
    release() {
      const [next] = waiting;
      if (next === undefined) {
        isTaken = false;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}

/** Result codes (https://sqlite.org/rescode.html). */
const sqliteCodes = { busy: 5, corrupt: 11, notADatabase: 26 };

/** The write lock wasn't free in time. Has SQLite's own code, so that callers treat it like SQLite's error. */
class DatabaseLockedError extends Error {
  override name = "DatabaseLockedError";
  readonly errcode = sqliteCodes.busy;

  constructor(waitedMs: number) {
    super(`The database was locked for ${waitedMs} ms.`);
  }
}

/** Whether another connection holds a lock; the same call may succeed later. */
export function isSqliteBusy(error: unknown): boolean {
  return resultCode(error) === sqliteCodes.busy;
}

/** Whether the file is damaged or no database. */
export function isSqliteDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code === sqliteCodes.corrupt || code === sqliteCodes.notADatabase;
}

/** The primary code, which is the lowest byte of an extended one. */
function resultCode(error: unknown): number | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code & 0xff : null;
}
