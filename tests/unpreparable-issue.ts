import { sql } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Db } from "#db/tables.ts";

export async function refuseToPrepare(db: Db, id: number): Promise<void> {
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
