import { chmod, mkdir, open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import type { OnQueryError, OpenDatabase } from "./database-handle.ts";
import { createPlaceCheck } from "./files-in-place.ts";
import { createMutex } from "./mutex.ts";
import { adaptNodeSqlite } from "./node-sqlite-adapter.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { isSqliteBusy } from "./sqlite-errors.ts";
import type { SqliteHandle, SqliteHandles } from "./sqlite-handles.ts";
import { syncToDisk } from "./sync-to-disk.ts";
import type { Database } from "./tables.ts";
import { tellOfErrors } from "./tell-of-errors.ts";

export const sqliteFileName = "chalkline.sqlite";

/** How long a write waits for its turn and another process's lock; a visitor waits no longer for a refusal. */
const lockTimeoutMs = 5_000;
const walAttempts = 100;
const walRetryMs = 50;

/** Makes the folder and the file where they are missing, for the own user alone. Throws where either can't be used. */
export async function openSqlite(
  dataDir: string,
  onQueryError: OnQueryError = () => {},
): Promise<OpenDatabase> {
  const location = resolve(join(dataDir, sqliteFileName));
  // A folder that exists keeps its mode: it may be a volume, or hold other things.
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await keepPrivate(location);
  if (made !== undefined) await syncFolders(resolve(dataDir), dirname(made));

  const handles = await openHandles(location);
  const db = new Kysely<Database>({
    dialect: new NodeSqliteDialect(handles),
    log: tellOfErrors(onQueryError),
  });
  return {
    db,
    kind: "sqlite",
    location,
    async ping() {
      handles.assertInPlace();
      await sql`select 1`.execute(db);
    },
    // Statements here have no time-out: SQLite runs each in this thread.
    withoutTimeouts: (work) => work(db),
    listen: () => async () => {},
    close: () => closeSqlite(db, handles),
  };
}

async function openHandles(location: string): Promise<SqliteHandles> {
  const writer = openHandle(location);
  try {
    await switchToWal(writer.connection);
    // An acknowledged write must survive a power cut, which WAL's default of NORMAL doesn't promise.
    writer.connection.exec("pragma synchronous = full");
    // What is deleted for a person's sake leaves no bytes behind in the file.
    writer.connection.exec("pragma secure_delete = on");
    const assertInPlace = createPlaceCheck([location, `${location}-wal`]);
    const reader = openHandle(location);
    reader.connection.exec("pragma query_only = on");
    return { writer, reader, lockTimeoutMs, assertInPlace };
  } catch (error) {
    writer.connection.close();
    throw error;
  }
}

// SQLite's own waiting would hold up the whole process, so it refuses at once and the driver tries again.
function openHandle(location: string): SqliteHandle {
  const connection = new DatabaseSync(location, {
    timeout: 0,
    enableForeignKeyConstraints: true,
  });
  return { connection, statements: adaptNodeSqlite(connection), mutex: createMutex() };
}

// Made before SQLite would make it, so that it is never readable by others; its side files get the same mode.
async function keepPrivate(file: string): Promise<void> {
  const handle = await open(file, "a", 0o600);
  await handle.close();
  await chmod(file, 0o600);
}

// A new folder is known to the disk once the folder around it is, and SQLite sees to its own folder alone.
async function syncFolders(innermost: string, outermost: string): Promise<void> {
  for (let folder = innermost; ; folder = dirname(folder)) {
    await syncToDisk(folder);
    if (folder === outermost || folder === dirname(folder)) return;
  }
}

// The change to WAL needs the file for itself for an instant, and SQLite doesn't wait for that by itself.
async function switchToWal(connection: DatabaseSync): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      connection.exec("pragma journal_mode = wal");
      // The first read makes the log's own file, whose place is watched from then on.
      connection.exec("select count(*) from sqlite_schema");
      return;
    } catch (error) {
      if (attempt === walAttempts || !isSqliteBusy(error)) {
        throw error;
      }
      await delay(walRetryMs);
    }
  }
}

async function closeSqlite(db: Kysely<Database>, { reader, writer }: SqliteHandles): Promise<void> {
  await db.destroy();
  // Kysely closes what it has used; a database that never ran a query is still open.
  for (const { connection } of [reader, writer]) {
    if (connection.isOpen) connection.close();
  }
}
