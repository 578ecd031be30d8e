import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** Where PostgreSQL tells of every change to the issues, by a trigger. */
export const archiveChannel = "archive_changed";

/** A word that is another one after every change to the issues; rejects where the database doesn't answer. */
export async function readArchiveVersion(db: Kysely<Database>): Promise<string> {
  const row = await db.selectFrom("archive_version").select("version").executeTakeFirstOrThrow();
  return row.version;
}
