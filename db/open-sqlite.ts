import { chmod, mkdir, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { setTimeout as delay, setImmediate as nextRound } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import { errorCode } from "./describe-causes.ts";
import type { Database } from "./tables.ts";

export const sqliteFileName = "chalkline.sqlite";

/** Creates a missing folder and file, readable by this user alone. Throws if either can't be used. */
export async function openSqlite(
  dataDir: string,
  { onQueryError }: OpenOptions,
): Promise<OpenDatabase> {
  const location = resolve(join(dataDir, sqliteFileName));
  // A folder that exists keeps its mode: it may be a volume, or hold other things.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await keepPrivate(location);
  const { writer, reader } = await connect(location);
  const db = new Kysely<Database>({
    dialect: createSqliteDialect(writer, reader),
    log: (event) => {
      if (event.level === "error") onQueryError?.(event.error);
    },
  });
  return {
    db,
    kind: "sqlite",
    location,
    async ping() {
      await sql`select 1`.execute(db);
    },
    // SQLite runs statements in this thread, so they have no time-out.
    withoutTimeouts: (work) => work(db),
    async close() {
      await db.destroy();
      // Kysely doesn't close a database that never ran a query.
      for (const connection of [reader, writer]) if (connection.isOpen) connection.close();
    },
  };
}

async function connect(location: string) {
  // SQLite's own waiting would block the process, so the driver retries instead.
  const options = { timeout: 0, enableForeignKeyConstraints: true };
  const writer = new DatabaseSync(location, options);
  try {
    await switchToWal(writer);
    // Acknowledged writes must survive a power cut, which WAL's default of NORMAL doesn't promise.
    writer.exec("pragma synchronous = full");
    // Overwrites deleted personal data in the file.
    writer.exec("pragma secure_delete = on");
    const reader = new DatabaseSync(location, options);
    reader.exec("pragma query_only = on");
    return { writer, reader };
  } catch (error) {
    writer.close();
    throw error;
  }
}

// Created before SQLite creates it, so that others can never read it. Its side files get the same mode.
async function keepPrivate(file: string): Promise<void> {
  const handle = await open(file, "a", 0o600);
  await handle.close();
  try {
    await chmod(file, 0o600);
  } catch (error) {
    // A volume or a restored file may be another user's, who alone can change its mode.
    if (errorCode(error) !== "EPERM") throw error;
    process.emitWarning(`${file} belongs to another user; who else may read it can't be changed`);
  }
}

// Switching to WAL needs an exclusive lock, and SQLite doesn't wait for it. Another process may hold it for five seconds.
async function switchToWal(connection: DatabaseSync): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      connection.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (attempt === 100 || !isSqliteBusy(error)) throw error;
      await delay(50);
    }
  }
}

// Kysely's SQLite dialect over `node:sqlite`, for a file that several processes write. Writes take turns on one connection.
// Reads use another and never wait for a write. Another process's lock is waited for by retries, which don't block the
// event loop.

/** How long a query waits for its turn, and then for other processes' locks. */
const lockTimeoutMs = 5_000;

function createSqliteDialect(writer: DatabaseSync, reader: DatabaseSync): Dialect {
  const writes = new Turns(writer);
  const reads = new Turns(reader);
  const sessionOf = (connection: DatabaseConnection) => connection as Session;
  return {
    createDriver: () => ({
      async init() {},
      acquireConnection: async () => new Session(writes, reads),
      beginTransaction: (connection, { accessMode }) =>
        sessionOf(connection).begin(accessMode === "read only"),
      commitTransaction: async (connection) => sessionOf(connection).commit(),
      rollbackTransaction: async (connection) => sessionOf(connection).rollback(),
      releaseConnection: async (connection) => sessionOf(connection).rollback(),
      async destroy() {
        for (const { take, database } of [reads, writes]) {
          await take();
          database.close();
        }
      },
    }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
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

/** A connection that one transaction or write uses at a time. */
class Turns {
  readonly database: DatabaseSync;
  #last: Promise<void> = Promise.resolve();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Resolves, when the turn has come, with what ends it. */
  take = async (): Promise<() => void> => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => ended);
    const isInTime = before.then(() => true);
    if (await Promise.race([isInTime, delay(lockTimeoutMs, false, { ref: false })])) {
      // One write a round of the event loop: many at once would otherwise keep it from accepting connections.
      await nextRound();
      return end;
    }
    end();
    const message = `The database was locked for ${lockTimeoutMs} ms.`;
    throw Object.assign(new Error(message), { errcode: sqliteCodes.busy });
  };
}

class Session implements DatabaseConnection {
  readonly #writes: Turns;
  readonly #reads: Turns;
  #transaction: { database: DatabaseSync; endTurn: () => void } | null = null;

  constructor(writes: Turns, reads: Turns) {
    this.#writes = writes;
    this.#reads = reads;
  }

  /**
   * A transaction takes the write lock at its start: SQLite refuses one that reads first, if another process writes before
   * it asks for the lock.
   */
  async begin(readOnly: boolean): Promise<void> {
    const { take, database } = readOnly ? this.#reads : this.#writes;
    // If the lock isn't had in time, the turn ends with the connection's release.
    this.#transaction = { database, endTurn: await take() };
    await untilUnlocked(() => database.exec(readOnly ? "begin" : "begin immediate"));
  }

  commit(): void {
    this.#transaction?.database.exec("commit");
    this.rollback();
  }

  /** Ends the transaction, if there is one. SQLite may have ended it already, as it does when the disk is full. */
  rollback(): void {
    const transaction = this.#transaction;
    this.#transaction = null;
    try {
      if (transaction?.database.isTransaction) transaction.database.exec("rollback");
    } finally {
      transaction?.endTurn();
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction) return run(this.#transaction.database, query);
    if (SelectQueryNode.is(query.query) || /^\s*select\b/i.test(query.sql)) {
      // Node runs a statement to its end at once, so a read needs no turn.
      return await untilUnlocked(() => run(this.#reads.database, query));
    }
    const endTurn = await this.#writes.take();
    return await untilUnlocked(() => run<Row>(this.#writes.database, query)).finally(endTurn);
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}

function run<Row>(database: DatabaseSync, query: CompiledQuery): QueryResult<Row> {
  const statement = database.prepare(query.sql);
  const parameters = query.parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) };
}

async function untilUnlocked<Result>(work: () => Result): Promise<Result> {
  const deadline = performance.now() + lockTimeoutMs;
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
