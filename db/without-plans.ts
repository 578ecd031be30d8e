import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "./tables.ts";

/** Ways of reading a table that PostgreSQL's planner can be kept from. */
type Plan = "seqscan" | "indexscan" | "bitmapscan";

/**
 * Does work on PostgreSQL that is planned without some ways of reading, where what the planner knows of a table is known
 * to mislead it. In a transaction of its own, with which that ends.
 */
export async function withoutPlans<Result>(
  db: Kysely<Database>,
  plans: readonly Plan[],
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().execute(async (trx) => {
    const settings = plans.map((plan) => sql`set_config(${`enable_${plan}`}, 'off', true)`);
    await sql`select ${sql.join(settings)}`.execute(trx);
    return await work(trx);
  });
}
