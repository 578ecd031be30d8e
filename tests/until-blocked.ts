import { sql } from "kysely";
import type { Db } from "#db/tables.ts";
import { until } from "./until.ts";

/** Waits until a transaction of this PostgreSQL database waits for another's lock. */
export async function untilBlocked(db: Db) {
  // Not by pg_stat_activity, of which a transaction sees the same to its end.
  const blocked = sql`select 1 from pg_locks where not granted and pid in (select pid from pg_locks
    where database = (select oid from pg_database where datname = current_database()))`;
  await until(async () => (await blocked.execute(db)).rows.length > 0);
}
