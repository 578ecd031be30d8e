import { type Kysely, PostgresAdapter } from "kysely";
import type { Database } from "./tables.ts";

/** True where the queries go to PostgreSQL, false where they go to SQLite. Works inside transactions too. */
export function isPostgres(db: Pick<Kysely<Database>, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
