import type { Kysely, Transaction } from "kysely";
import type { Database } from "./tables.ts";

export async function commitTogether<Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().execute(work);
}
