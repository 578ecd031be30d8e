import { CompiledQuery, type Kysely } from "kysely";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../database/tables.ts";
import type { Counted, Counter } from "./counter.ts";
import type { Limit } from "./submission-limits.ts";

/** Where copies of the server count together; made by a migration, in the shape the library expects. */
const countersTable = "rate_limits";

/** Counts in the database (`rate-limiter-flexible`), in one statement each, for all copies of the server together. */
export function createPostgresCounter(
  db: Kysely<Database>,
  keyPrefix: string,
  { count: limit, windowSeconds }: NonNullable<Limit>,
): Counter {
  const limiter = new RateLimiterPostgres({
    keyPrefix,
    points: limit,
    duration: windowSeconds,
    storeClient: queryingThrough(db),
    storeType: "client",
    tableName: countersTable,
    tableCreated: true,
    // A sender that is far over its limit is refused without asking the database each time.
    inMemoryBlockOnConsumed: limit + 1,
  });
  return {
    async count(key): Promise<Counted> {
      try {
        return counted(true, await limiter.consume(key));
      } catch (refusal) {
        // The library rejects with its result where the limit is reached, and with an error where it can't count.
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return counted(false, refusal);
      }
    },
    async undo(key) {
      await limiter.reward(key);
    },
  };
}

function counted(ok: boolean, { consumedPoints, msBeforeNext }: RateLimiterRes): Counted {
  return {
    ok,
    nth: consumedPoints,
    windowEndsInSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  };
}

/** The one method of a pg client that the library calls, on the connections that Kysely keeps. */
function queryingThrough(db: Kysely<Database>) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
}
