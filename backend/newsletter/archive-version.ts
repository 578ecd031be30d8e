import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";

/** A word that is another one after every change to the issues; rejects where the database doesn't answer. */
export async function readArchiveVersion(db: Kysely<Database>): Promise<string> {
  const row = await db.selectFrom("archive_version").select("version").executeTakeFirstOrThrow();
  return row.version;
}
