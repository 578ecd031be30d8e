import { sql } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";

/** What a test's server does to itself when it is told to. */
export type ServerOrder = {
  /** With `false`, SQLite says that the disk is full as soon as the database needs another page. */
  databaseMayGrow: boolean;
};

/** SQLite's own upper bound. */
const mostPages = 4_294_967_294;

export async function setPageLimit({ db }: OpenDatabase, mayGrow: boolean): Promise<void> {
  // A limit below the present size means the present size.
  await sql`pragma max_page_count = ${sql.raw(String(mayGrow ? mostPages : 1))}`.execute(db);
}
