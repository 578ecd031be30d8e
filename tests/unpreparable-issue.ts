import { sql } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Db } from "#db/tables.ts";

/** Writes issues 1 to 3 about a gazebo; the second, "Cursed", can't be prepared. */
export async function writeIssuesOneUnpreparable(db: Db): Promise<void> {
  const row = { content_markdown: "<p>A gazebo.</p>", publish_date: "2026-11-20" };
  for (const title of ["First", "Cursed", "Last"]) {
    await db
      .insertInto("final_newsletters")
      .values({ ...row, title })
      .execute();
  }
  await refuseToPrepare(db, 2);
}

async function refuseToPrepare(db: Db, id: number): Promise<void> {
  if (!isPostgres(db)) {
    await sql`create trigger refused before insert on prepared_issues when new.issue_id = ${sql.lit(id)}
      begin select raise(abort, 'refused'); end`.execute(db);
    return;
  }
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused'; end $$`.execute(db);
  await sql`create trigger refused before insert on prepared_issues for each row
    when (new.issue_id = ${sql.lit(id)}) execute function refuse()`.execute(db);
}
