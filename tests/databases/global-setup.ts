import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrateToLatest } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { startPostgresCluster } from "./postgres-cluster.ts";

/** A database that has had every migration; each test's own is a copy of it. */
export const migratedTemplate = "migrated_template";

declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, database `postgres`. */
    postgresUrl: string;
    /** A file that has had every migration, as the template of PostgreSQL's databases has. */
    sqliteTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "chalkline-templates-"));
  const cluster = await startPostgresCluster();
  async function teardown() {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await migrateTemplate({ dataDir: folder, databaseUrl: null });
    await createPostgresTemplate(cluster.url);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("postgresUrl", cluster.url);
  project.provide("sqliteTemplate", join(folder, sqliteFileName));
  return teardown;
}

async function createPostgresTemplate(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${migratedTemplate}`);
  await client.end();

  const templateUrl = new URL(url);
  templateUrl.pathname = migratedTemplate;
  await migrateTemplate({ dataDir: "", databaseUrl: templateUrl.href });
}

async function migrateTemplate(settings: DatabaseSettings): Promise<void> {
  const open = await openDatabase(settings);
  await migrateToLatest(open);
  await open.close();
}
