import { randomUUID } from "node:crypto";
import pg from "pg";
import { starterIssues } from "#content/starter-issues.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { seedStarterIssues } from "#newsletter/issues/issues.ts";
import { startPostgresCluster } from "./postgres-cluster.ts";

export type DatabaseKind = OpenDatabase["kind"];

/** Every process of a run reads it: where the run's PostgreSQL is. */
const urlVariable = "SITE_TESTS_POSTGRES";
const template = "site_template";

/** SQLite, unless SITE_DATABASE=postgres says otherwise. */
export function databaseOfRun(): DatabaseKind {
  return process.env.SITE_DATABASE === "postgres" ? "postgres" : "sqlite";
}

/** Starts the run's PostgreSQL, with a database that has what a new SQLite one has: every table and the starter issues. */
export async function startSiteDatabases(): Promise<() => Promise<void>> {
  const cluster = await startPostgresCluster();
  await createTemplate(cluster.url, template, ({ db }) =>
    seedStarterIssues(db, starterIssues, new Date()),
  );
  process.env[urlVariable] = cluster.url;
  return () => cluster.stop();
}

/** Makes a database with every table, for others to be copied from. */
export async function createTemplate(
  cluster: string,
  name: string,
  fill?: (open: OpenDatabase) => Promise<unknown>,
): Promise<void> {
  await query(cluster, `create database ${name}`);
  const open = await openDatabase({ dataDir: "", databaseUrl: urlOf(cluster, name) });
  await migrateToLatest(open);
  await fill?.(open);
  await open.close();
}

export async function createSiteDatabase() {
  const cluster = process.env[urlVariable];
  if (!cluster)
    throw new Error("No PostgreSQL was started for this run; see playwright.config.ts.");
  return await createDatabase(cluster, template);
}

/** Copies a template as files: through the log, which is the usual way, it takes five times as long. */
export async function createDatabase(cluster: string, template: string) {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await query(cluster, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: urlOf(cluster, name),
    remove: () => query(cluster, `drop database if exists ${name} with (force)`),
  };
}

function urlOf(cluster: string, name: string): string {
  const url = new URL(cluster);
  url.pathname = name;
  return url.href;
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}
