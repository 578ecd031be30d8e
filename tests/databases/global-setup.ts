import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrateToLatest } from "#backend/database/migrate.ts";
import { openDatabase } from "#backend/database/open-database.ts";
import { startPostgresCluster } from "./postgres-cluster.ts";

/** A database that has had every migration; each test's own is a copy of it. */
export const migratedTemplate = "migrated_template";

declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, database `postgres`. */
    postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgresCluster();
  try {
    await createTemplate(cluster.url);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  project.provide("postgresUrl", cluster.url);
  return cluster.stop;
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${migratedTemplate}`);
  await client.end();

  const templateUrl = new URL(url);
  templateUrl.pathname = migratedTemplate;
  const open = await openDatabase({ dataDir: "", databaseUrl: templateUrl.href });
  await migrateToLatest(open);
  await open.close();
}
