import { starterIssues } from "#content/starter-issues.ts";
import type { OnConnectionLost, OnQueryError, OpenDatabase } from "#db/database-handle.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { seedStarterIssues } from "#newsletter/issues.ts";
import { prepareIssues } from "#newsletter/prepared-issues.ts";
import type { Config } from "./settings.ts";

export type OpenStore = OpenDatabase & {
  /** Names of the migrations that this opening applied, oldest first. */
  migrated: string[];
  /** How many starter issues this opening put into a new embedded database. */
  seeded: number;
};

/**
 * Opens the product's database as the server and the operator's commands both need it: schema up to date, and the
 * starter issues in a new embedded one. Throws where it can't be opened or migrated, and leaves nothing open then.
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
    /** How long PostgreSQL may take over one statement; short, for visitors, where it isn't said. */
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
