import { chmod, mkdir, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import { foldText } from "./hold-text.ts";
import { createSqliteDialect, isSqliteBusy } from "./sqlite-dialect.ts";
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
    // SQLite's own lower() changes ASCII alone.
    const fold = (text: unknown) => foldText(String(text ?? ""));
    for (const connection of [writer, reader]) {
      connection.function("fold", { deterministic: true }, fold);
    }
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
  await chmod(file, 0o600);
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
