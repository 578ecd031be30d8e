import { chmod, mkdir, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { Kysely } from "kysely";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { isSqliteBusy } from "./node-sqlite-driver.ts";
import type { OnQueryError, OpenDatabase } from "./open-database.ts";
import type { Database } from "./tables.ts";
import { tellOfErrors } from "./tell-of-errors.ts";

export const sqliteFileName = "chalkline.sqlite";

/** How long one statement waits for another process's lock. Transactions wait without holding up this process. */
const busyTimeoutMs = 5_000;
const walAttempts = 100;
const walRetryMs = 50;

export async function openSqlite(
  dataDir: string,
  onQueryError: OnQueryError = () => {},
): Promise<OpenDatabase> {
  const location = resolve(join(dataDir, sqliteFileName));
  // A folder that exists keeps its mode: it may be a volume, or hold other things.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await keepPrivate(location);

  const connection = new DatabaseSync(location, {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  try {
    await switchToWal(connection);
    // An acknowledged write must survive a power cut, which WAL's default of NORMAL doesn't promise.
    connection.exec("pragma synchronous = full");
  } catch (error) {
    connection.close();
    throw error;
  }
  const db = new Kysely<Database>({
    dialect: new NodeSqliteDialect(connection, busyTimeoutMs),
    log: tellOfErrors(onQueryError),
  });
  return { db, kind: "sqlite", location, close: () => closeSqlite(db, connection) };
}

// Made before SQLite would make it, so that it is never readable by others; its side files get the same mode.
async function keepPrivate(file: string): Promise<void> {
  const handle = await open(file, "a", 0o600);
  await handle.close();
  await chmod(file, 0o600);
}

// The change to WAL needs the file for itself for an instant, and SQLite doesn't wait for that by itself.
async function switchToWal(connection: DatabaseSync): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      connection.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (attempt === walAttempts || !isSqliteBusy(error)) {
        throw error;
      }
      await delay(walRetryMs);
    }
  }
}

async function closeSqlite(db: Kysely<Database>, connection: DatabaseSync): Promise<void> {
  await db.destroy();
  // Kysely closes what it has used; a database that never ran a query is still open.
  if (connection.isOpen) {
    connection.close();
  }
}
