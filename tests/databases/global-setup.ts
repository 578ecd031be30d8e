import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { startPostgresCluster } from "./postgres-cluster.ts";
import { createTemplate } from "./site-databases.ts";

/** A database that has had every migration; each test's own is a copy of it. */
export const migratedTemplate = "migrated_template";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    /** A file that has had every migration, as the template of PostgreSQL's databases has. */
    sqliteTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "chalkline-templates-"));
  const open = await openDatabase({ dataDir: folder, databaseUrl: null });
  await migrateToLatest(open);
  await open.close();
  const cluster = await startPostgresCluster();
  await createTemplate(cluster.url, migratedTemplate);
  project.provide("postgresUrl", cluster.url);
  project.provide("sqliteTemplate", join(folder, sqliteFileName));
  return async function teardown() {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
