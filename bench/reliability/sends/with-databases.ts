import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { OpenDatabase } from "#db/database-handle.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";

type WithDatabase = <Result>(
  work: (open: OpenDatabase, settings: DatabaseSettings) => Promise<Result>,
) => Promise<Result>;

/** Gives each piece of work a new database of its own. */
export async function withDatabases(
  kind: "SQLite" | "PostgreSQL",
  work: (withDatabase: WithDatabase) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-bench-sends-"));
  const cluster = kind === "PostgreSQL" ? await startPostgresCluster() : null;
  let count = 0;
  async function settingsOfNext(): Promise<DatabaseSettings> {
    count += 1;
    if (!cluster) return { dataDir: path.join(folder, String(count)), databaseUrl: null };
    const client = new pg.Client(cluster.url);
    await client.connect();
    await client.query(`create database sends_${count}`);
    await client.end();
    const url = new URL(cluster.url);
    url.pathname = `sends_${count}`;
    return { dataDir: "", databaseUrl: url.href };
  }
  try {
    await work(async (one) => {
      const settings = await settingsOfNext();
      const open = await openDatabase(settings);
      try {
        await migrateToLatest(open);
        return await one(open, settings);
      } finally {
        await open.close();
      }
    });
  } finally {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
