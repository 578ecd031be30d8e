import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { afterEach, beforeEach, describe, inject } from "vitest";
import type { OpenDatabase } from "#db/database-handle.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import type { Database } from "#db/tables.ts";
import { migratedTemplate } from "./databases/global-setup.ts";
import { createDatabase } from "./databases/site-databases.ts";
import { makeMemoryFolder } from "./memory-folder.ts";

/** The database of the running test; a new one for each test, empty, with every migration. */
export type TestDatabase = {
  kind: OpenDatabase["kind"];
  readonly open: OpenDatabase;
  readonly db: Kysely<Database>;
  /** Lets another process open the same database. */
  readonly settings: DatabaseSettings;
  /** One more opening of the same database, as another process would have; closed after the test. */
  connect(): Promise<OpenDatabase>;
};

type SuiteOptions = {
  /** False for a database on which no migration has run. */
  migrated?: boolean;
  /** Both by default. */
  kinds?: readonly OpenDatabase["kind"][];
};

/**
 * Runs a suite twice: over real SQLite files in temporary folders, and over a real PostgreSQL. Read `database.db`
 * inside tests and hooks only; it belongs to the test that runs.
 */
export function describeOnEachDatabase(
  name: string,
  suite: (database: TestDatabase) => void,
  { migrated = true, kinds = ["sqlite", "postgres"] }: SuiteOptions = {},
): void {
  for (const kind of kinds) {
    describe(`${name} (${kind})`, () => {
      let current: {
        settings: DatabaseSettings;
        opened: OpenDatabase[];
        remove(): Promise<unknown>;
      };
      const makePlace = kind === "sqlite" ? makeSqlitePlace : makePostgresPlace;

      beforeEach(async () => {
        current = { ...(await makePlace(migrated)), opened: [] };
        await database.connect();
      });

      afterEach(async () => {
        for (const open of current.opened) await open.close();
        await current.remove();
      });

      const database: TestDatabase = {
        kind,
        get settings() {
          return current.settings;
        },
        get open() {
          const [first] = current.opened;
          if (!first) throw new Error("The database is there inside tests and hooks only.");
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

async function makeSqlitePlace(migrated: boolean) {
  const folder = await makeMemoryFolder("chalkline-test-");
  const dataDir = join(folder, "data");
  if (migrated) {
    await mkdir(dataDir, { mode: 0o700 });
    await copyFile(inject("sqliteTemplate"), join(dataDir, sqliteFileName));
  }
  return {
    settings: { dataDir, databaseUrl: null },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makePostgresPlace(migrated: boolean) {
  const template = migrated ? migratedTemplate : "template1";
  const { url, remove } = await createDatabase(inject("postgresUrl"), template);
  return { settings: { dataDir: "", databaseUrl: url }, remove };
}
