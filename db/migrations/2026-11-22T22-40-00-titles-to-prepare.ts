import { type Kysely, PostgresAdapter, sql } from "kysely";

/** An issue whose title is changed is noted too, by whatever program: search finds it by the words of its title. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`drop trigger issue_to_prepare_noted on final_newsletters`.execute(db);
    await sql`create trigger issue_to_prepare_noted
      after insert or update of title, content_markdown or delete on final_newsletters
      for each row execute function note_issue_to_prepare()`.execute(db);
    return;
  }
  await sql`create trigger issue_to_prepare_on_title after update of title on final_newsletters begin
    delete from prepared_issues where issue_id = new.id;
    insert into issues_to_prepare (issue_id)
      select new.id where not exists (select 1 from issues_to_prepare where issue_id = new.id);
  end`.execute(db);
}
