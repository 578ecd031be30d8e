import type { Kysely } from "kysely";
import type { Database } from "#backend/database/tables.ts";

/** Ids in one statement. */
const batchSize = 500;

/** The titles of those of these issues that there are, by id. */
export async function findIssueTitles(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const titles = new Map<number, string>();
  for (let start = 0; start < ids.length; start += batchSize) {
    const rows = await db
      .selectFrom("final_newsletters")
      .select(["id", "title"])
      .where("id", "in", ids.slice(start, start + batchSize))
      .execute();
    for (const { id, title } of rows) titles.set(id, title);
  }
  return titles;
}
