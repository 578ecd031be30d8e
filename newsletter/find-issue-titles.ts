import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";

/** The titles of those of these issues that there are, by id. */
export async function findIssueTitles(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const titles = new Map<number, string>();
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom("final_newsletters")
      .select(["id", "title"])
      .where("id", "in", some)
      .execute();
    for (const { id, title } of rows) titles.set(id, title);
  }
  return titles;
}
