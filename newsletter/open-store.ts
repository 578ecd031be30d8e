import { starterIssues } from "#content/starter-issues.ts";
import type { OpenDatabase, OpenOptions } from "#db/database-handle.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { seedStarterIssues } from "./issues/issues.ts";

export type OpenStore = OpenDatabase & {
  migrated: string[];
  /** How many starter issues were inserted now. */
  seeded: number;
};

/** Opens the database, migrated, and with the starter issues in a new SQLite file. */
export async function openStore(
  settings: DatabaseSettings,
  options?: OpenOptions,
): Promise<OpenStore> {
  const open = await openDatabase(settings, options);
  try {
    const migrated = await migrateToLatest(open);
    const now = new Date();
    const seeded =
      open.kind === "sqlite" ? await seedStarterIssues(open.db, starterIssues, now) : 0;
    return { ...open, migrated, seeded };
  } catch (error) {
    await open.close();
    throw error;
  }
}
