import type { Kysely } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database } from "../database/tables.ts";
import { createMemoryLimiter } from "./memory-limiter.ts";
import { createPostgresLimiter } from "./postgres-limiter.ts";
import type { SubmissionLimiter } from "./submission-limiter.ts";
import type { SubmissionLimits } from "./submission-limits.ts";

/**
 * Counts submissions by mailbox, by network address and, past an address's first, overall. With PostgreSQL the counts
 * are in the database, so that several copies of the server share them; on SQLite, which one server writes, in memory,
 * so that counting costs no write. Addresses are counted under a keyed hash and never stored as they are.
 */
export function createSubmissionLimiter(
  db: Kysely<Database>,
  limits: SubmissionLimits,
): SubmissionLimiter {
  return isPostgres(db) ? createPostgresLimiter(db, limits) : createMemoryLimiter(limits);
}
