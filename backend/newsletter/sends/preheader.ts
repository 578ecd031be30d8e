import type { Kysely } from "kysely";
import type { Database } from "../../database/tables.ts";

/** The preheader that an issue's file gave; null where it gave none. */
export async function findPreheader(db: Kysely<Database>, issueId: number): Promise<string | null> {
  const row = await db
    .selectFrom("issue_preheaders")
    .select("preheader")
    .where("issue_id", "=", issueId)
    .executeTakeFirst();
  return row?.preheader ?? null;
}
