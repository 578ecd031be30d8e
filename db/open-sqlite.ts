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
import type { OpenDatabase } from "./database-handle.ts";
import type { Database } from "./tables.ts";

export const sqliteFileName = "chalkline.sqlite";

/** Creates missing files, private to this user. Throws if they can't be used. */
export async function openSqlite(dataDir: string): Promise<OpenDatabase> {
  const location = resolve(join(dataDir, sqliteFileName));
  // An existing folder keeps its mode: it may hold other things.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await keepPrivate(location);
  const { writer, reader } = await connect(location);
  const db = new Kysely<Database>({ dialect: createSqliteDialect(writer, reader) });
  return {
    db,
    kind: "sqlite",
    location,
    async ping() {
      await sql`select 1`.execute(db);
    },
    // Statements run in this thread, so nothing times out.
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
    // SQLite doesn't wait for this exclusive lock.
    await untilUnlocked(() => writer.exec("pragma journal_mode = wal"));
    // WAL's default of NORMAL loses the last writes in a power cut.
    writer.exec("pragma synchronous = full");
    // A long read lets the log grow; the next restart of it cuts it again.
    writer.exec("pragma journal_size_limit = 64000000");
    // Overwrites deleted personal data in the file.
    writer.exec("pragma secure_delete = on");
    // In KB: room for the indexes of a long list, which is imported in one transaction.
    writer.exec("pragma cache_size = -32000");
    const reader = new DatabaseSync(location, options);
    reader.exec("pragma query_only = on");
    return { writer, reader };
  } catch (error) {
    writer.close();
    throw error;
  }
}

// Created before SQLite does it, so that others can never read it.
async function keepPrivate(file: string): Promise<void> {
  await (await open(file, "a", 0o600)).close();
  // Only the owner of a volume or a restored file can change its mode.
  await chmod(file, 0o600).catch(() => {});
}

// Kysely's dialect over `node:sqlite`. Writes take turns on one connection; reads use another. Locks
// are awaited by retries.

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
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Runs migrations in one transaction, so that concurrent processes queue. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class Turns {
  readonly database: DatabaseSync;
  #last: Promise<void> = Promise.resolve();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Resolves with the function that ends the turn. */
  take = async (): Promise<() => void> => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => ended);
    const isInTime = before.then(() => true);
    if (await Promise.race([isInTime, delay(lockTimeoutMs, false, { ref: false })])) {
      // Many at once would keep the event loop from accepting connections.
      await nextRound();
      return end;
    }
    end();
    const message = `The database was locked for ${lockTimeoutMs} ms.`;
    throw Object.assign(new Error(message), { errcode: busyCode });
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

  /** Takes the write lock first: SQLite refuses a reader that writes after another process. */
  async begin(readOnly: boolean): Promise<void> {
    const { take, database } = readOnly ? this.#reads : this.#writes;
    this.#transaction = { database, endTurn: await take() };
    await untilUnlocked(() => database.exec(readOnly ? "begin" : "begin immediate"));
  }

  commit(): void {
    this.#transaction?.database.exec("commit");
    this.rollback();
  }

  /** SQLite may have rolled back already, as on a full disk. */
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

/** SQLITE_BUSY (https://sqlite.org/rescode.html). */
const busyCode = 5;

export function isSqliteBusy(error: unknown): boolean {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  // The primary code is the lowest byte of an extended one.
  return typeof code === "number" && (code & 0xff) === busyCode;
}
