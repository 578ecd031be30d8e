import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { keepPicture, type Picture, showPicture } from "./pictures/keep-pictures.ts";
import { prepareInTransaction } from "./prepared-issues.ts";

/** An issue's body as it is stored; empty where there is no such issue. */
export async function readIssueBody(db: Kysely<Database>, id: number): Promise<string> {
  const issue = await db
    .selectFrom("final_newsletters")
    .select("content_markdown")
    .where("id", "=", id)
    .executeTakeFirst();
  return issue?.content_markdown ?? "";
}

/**
 * Gives an issue another body, with the pictures that it shows now, together or not at all. `false`: it isn't any more what
 * it was when the other body was made, and nothing was written.
 */
export async function reviseIssue(
  db: Kysely<Database>,
  {
    id,
    from,
    to,
    pictures,
    kept,
    now,
  }: {
    id: number;
    from: string;
    to: string;
    /** New to the site. */
    pictures: readonly Picture[];
    /** Paths of those that it has already. */
    kept: readonly string[];
    now: Date;
  },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const revised = await trx
      .updateTable("final_newsletters")
      .set({ content_markdown: to })
      .where("id", "=", id)
      .where("content_markdown", "=", from)
      .returning("title")
      .executeTakeFirst();
    if (!revised) return false;
    await prepareInTransaction(trx, { id, title: revised.title ?? "", content_markdown: to });
    for (const picture of pictures) await keepPicture(trx, { issueId: id, picture, now });
    for (const path of kept) await showPicture(trx, { issueId: id, path });
    return true;
  });
}
