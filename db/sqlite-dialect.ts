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
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";

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
  const handleOf = (connection: DatabaseSync): Handle => ({
    connection,
    statements: new LRUCache({
      max: statementsMax,
      memoMethod: (text) => connection.prepare(text),
    }),
    turns: new PQueue({ concurrency: 1 }),
    lockTimeoutMs,
  });
  const [writes, reads] = [handleOf(writer), handleOf(reader)];
  return {
    async init() {},
    acquireConnection: async () => new Session(writes, reads),
    beginTransaction: async (session: DatabaseConnection, { accessMode }: TransactionSettings) =>
      await (session as Session).begin(accessMode === "read only"),
    commitTransaction: async (session: DatabaseConnection) => (session as Session).commit(),
    rollbackTransaction: async (session: DatabaseConnection) => (session as Session).rollback(),
    releaseConnection: async (session: DatabaseConnection) => (session as Session).rollback(),
    async destroy() {
      for (const handle of [reads, writes]) {
        await takeTurn(handle);
        handle.connection.close();
      }
    },
  };
}

type Handle = {
  connection: DatabaseSync;
  /** By their text: to prepare one takes as long as to run it. */
  statements: LRUCache<string, StatementSync>;
  turns: PQueue;
  lockTimeoutMs: number;
};

/** The product has some dozens of statements. */
const statementsMax = 200;

/** One user of the database: a query, or a transaction. */
class Session implements DatabaseConnection {
  readonly #writes: Handle;
  readonly #reads: Handle;
  /** The open transaction, if there is one. */
  #transaction: (Handle & { endTurn: () => void }) | null = null;

  constructor(writes: Handle, reads: Handle) {
    this.#writes = writes;
    this.#reads = reads;
  }

  /**
   * A transaction takes the write lock at its start: SQLite refuses one that reads first, if another process writes before
   * it asks for the lock.
   */
  async begin(readOnly: boolean): Promise<void> {
    const handle = readOnly ? this.#reads : this.#writes;
    const { endTurn } = await inTurn(handle, () =>
      handle.connection.exec(readOnly ? "begin" : "begin immediate"),
    );
    this.#transaction = { ...handle, endTurn };
  }

  commit(): void {
    if (!this.#transaction) throw new Error("There is no transaction to commit.");
    this.#transaction.connection.exec("commit");
    this.rollback();
  }

  /** Ends the transaction, if there is one. SQLite may have ended it already, as it does when the disk is full. */
  rollback(): void {
    const transaction = this.#transaction;
    if (!transaction) return;
    this.#transaction = null;
    try {
      if (transaction.connection.isTransaction) transaction.connection.exec("rollback");
    } finally {
      transaction.endTurn();
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction) return run(this.#transaction, query);
    const reads = this.#reads;
    // Node runs a statement to its end at once, so a read needs no turn.
    if (isRead(query)) return await untilUnlocked(reads.lockTimeoutMs, () => run(reads, query));
    const { result, endTurn } = await inTurn(this.#writes, () => run<Row>(this.#writes, query));
    endTurn();
    return result;
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}

/** Does the work when its turn has come and no other process has the lock. The caller ends the turn. */
async function inTurn<Result>(handle: Handle, work: () => Result) {
  const deadline = performance.now() + handle.lockTimeoutMs;
  const endTurn = await takeTurn(handle);
  try {
    return { result: await untilUnlocked(deadline - performance.now(), work), endTurn };
  } catch (error) {
    endTurn();
    throw error;
  }
}

/** Resolves, when the turn has come, with what ends it. Rejects if it doesn't come in time. */
async function takeTurn({ turns, lockTimeoutMs }: Handle): Promise<() => void> {
  const waiting = new AbortController();
  const late = () => waiting.abort(new DatabaseLockedError(lockTimeoutMs));
  const timer = setTimeout(late, lockTimeoutMs);
  const begun = Promise.withResolvers<() => void>();
  const turn = async () => {
    clearTimeout(timer);
    const ended = Promise.withResolvers<void>();
    // One write a round of the event loop: many at once would otherwise keep it from accepting connections.
    setImmediate(() => begun.resolve(ended.resolve));
    await ended.promise;
  };
  turns.add(turn, { signal: waiting.signal }).catch(begun.reject);
  return await begun.promise;
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || /^\s*select\b/i.test(sql);
}

function run<Row>({ statements }: Handle, query: CompiledQuery): QueryResult<Row> {
  const statement = statements.memo(query.sql);
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
