import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, inject } from "vitest";
import type { OpenDatabase } from "#backend/database/database-handle.ts";
import { migrateToLatest } from "#backend/database/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#backend/database/open-database.ts";
import type { Database } from "#backend/database/tables.ts";
import { migratedTemplate } from "./databases/global-setup.ts";

/** The database of the running test; a new one for each test, empty, with every migration. */
export type TestDatabase = {
  kind: OpenDatabase["kind"];
  readonly open: OpenDatabase;
  readonly db: Kysely<Database>;
  /** What `openDatabase` takes, so that another process can open the same database. */
  readonly settings: DatabaseSettings;
  /** One more opening of the same database, as another process would have; closed after the test. */
  connect(): Promise<OpenDatabase>;
};

type SuiteOptions = {
  /** False for a database on which no migration has run. */
  migrated?: boolean;
};

/**
 * Runs a suite twice: over real SQLite files in temporary folders, and over a real PostgreSQL. Read `database.db`
 * inside tests and hooks only; it belongs to the test that runs.
 */
export function describeOnEachDatabase(
  name: string,
  suite: (database: TestDatabase) => void,
  { migrated = true }: SuiteOptions = {},
): void {
  for (const kind of ["sqlite", "postgres"] as const) {
    describe(`${name} (${kind})`, () => {
      let current: { settings: DatabaseSettings; opened: OpenDatabase[]; remove(): Promise<void> };

      beforeEach(async () => {
        const place =
          kind === "sqlite" ? await makeSqlitePlace() : await makePostgresPlace(migrated);
        current = { ...place, opened: [] };
        const open = await database.connect();
        if (kind === "sqlite" && migrated) {
          await migrateToLatest(open);
        }
      });

      afterEach(async () => {
        for (const open of current.opened) {
          await open.close();
        }
        await current.remove();
      });

      const database: TestDatabase = {
        kind,
        get settings() {
          return current.settings;
        },
        get open() {
          const [first] = current.opened;
          if (first === undefined) {
            throw new Error("The database is there inside tests and hooks only.");
          }
          return first;
        },
        get db() {
          return database.open.db;
        },
        async connect() {
          const open = await openDatabase(current.settings);
          current.opened.push(open);
          return open;
        },
      };

      suite(database);
    });
  }
}

async function makeSqlitePlace() {
  const folder = await mkdtemp(join(tmpdir(), "chalkline-test-"));
  return {
    settings: { dataDir: join(folder, "data"), databaseUrl: null },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makePostgresPlace(migrated: boolean) {
  const url = new URL(inject("postgresUrl"));
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runOnServer(
    `create database ${name} template ${migrated ? migratedTemplate : "template1"}`,
  );
  url.pathname = name;
  return {
    settings: { dataDir: "", databaseUrl: url.href },
    remove: () => runOnServer(`drop database if exists ${name} with (force)`),
  };
}

async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client(inject("postgresUrl"));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
