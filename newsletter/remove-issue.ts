import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { forgetPictures } from "./pictures/keep-pictures.ts";

type RemoveIssueResult = { ok: true; title: string } | { ok: false; reason: "not_found" };

/** Removes an issue by id and gives its title. The id is not used again; later issues move down by one number. */
export async function removeIssue(db: Kysely<Database>, id: number): Promise<RemoveIssueResult> {
  if (!Number.isSafeInteger(id)) {
    return { ok: false, reason: "not_found" };
  }
  const removed = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("issue_preheaders").where("issue_id", "=", id).execute();
    await forgetPictures(trx, id);
    return await trx
      .deleteFrom("final_newsletters")
      .where("id", "=", id)
      .returning("title")
      .executeTakeFirst();
  });
  return removed === undefined
    ? { ok: false, reason: "not_found" }
    : { ok: true, title: removed.title };
}
