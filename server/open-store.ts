import { starterIssues } from "#content/starter-issues.ts";
import type { OnConnectionLost, OnQueryError, OpenDatabase } from "#db/database-handle.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { seedStarterIssues } from "#newsletter/issues.ts";
import { prepareIssues } from "#newsletter/prepared-issues.ts";
import type { Config } from "./settings.ts";

export type OpenStore = OpenDatabase & {
  /** Names of the migrations applied now, oldest first. */
  migrated: string[];
  /** How many starter issues were inserted now. */
  seeded: number;
};

/**
 * Opens the database for the server and the operator's commands: migrated, and with the starter issues in a new SQLite
 * file. Throws if that fails, and leaves nothing open.
 */
export async function openStore(
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
  {
    onConnectionLost,
    onQueryError,
    statementMs,
  }: {
    onConnectionLost?: OnConnectionLost;
    onQueryError?: OnQueryError;
    /** PostgreSQL's time-out for a statement; by default short, for visitors. */
    statementMs?: number;
  } = {},
): Promise<OpenStore> {
  const open = await openDatabase(
    { dataDir, databaseUrl },
    onConnectionLost,
    onQueryError,
    statementMs,
  );
  try {
    const migrated = await migrateToLatest(open);
    const seeded = open.kind === "sqlite" ? await seed(open) : 0;
    await prepareIssues(open.db);
    return { ...open, migrated, seeded };
  } catch (error) {
    await open.close();
    throw error;
  }
}

async function seed({ db }: OpenDatabase): Promise<number> {
  const result = await seedStarterIssues(db, starterIssues, new Date());
  return result.ok ? result.inserted : 0;
}
