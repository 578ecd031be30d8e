import type { OpenDatabase } from "../database/database-handle.ts";

const migrationsTable = "kysely_migration";

/** Whether a database has tables and none of them says that this program made them. */
export async function hasOtherTables({ db }: OpenDatabase): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.length > 0 && !tables.some(({ name }) => name === migrationsTable);
}
