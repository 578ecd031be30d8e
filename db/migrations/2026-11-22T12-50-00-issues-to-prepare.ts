import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * Which issues are to be prepared, by whatever program they were written: looking for them costs what has changed. What
 * was prepared of an issue goes with it, and with the body that it was made of.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) await onPostgres(db);
  else await onSqlite(db);
  await sql`delete from prepared_issues
    where issue_id not in (select id from final_newsletters)`.execute(db);
}

async function onPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create table issues_to_prepare (issue_id bigint primary key)`.execute(db);
  await sql`create function note_issue_to_prepare() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then delete from prepared_issues where issue_id = old.id; end if;
      if tg_op = 'DELETE' then
        delete from issues_to_prepare where issue_id = old.id;
      else
        insert into issues_to_prepare (issue_id) values (new.id)
          on conflict (issue_id) do update set issue_id = excluded.issue_id;
      end if;
      return null;
    end
  $$`.execute(db);
  await sql`create trigger issue_to_prepare_noted
    after insert or update of content_markdown or delete on final_newsletters
    for each row execute function note_issue_to_prepare()`.execute(db);
  await sql`create function forget_prepared_issues() returns trigger language plpgsql as $$
    begin
      delete from prepared_issues;
      delete from issues_to_prepare;
      return null;
    end
  $$`.execute(db);
  await sql`create trigger prepared_issues_forgotten after truncate on final_newsletters
    for each statement execute function forget_prepared_issues()`.execute(db);
}

async function onSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create table issues_to_prepare (issue_id integer primary key) strict`.execute(db);
  const forgetAndNote = sql`
    delete from prepared_issues where issue_id = new.id;
    insert into issues_to_prepare (issue_id)
      select new.id where not exists (select 1 from issues_to_prepare where issue_id = new.id);`;
  // At an insert too: one that replaces a row deletes that without a trigger.
  await sql`create trigger issue_to_prepare_on_insert after insert on final_newsletters
    begin ${forgetAndNote} end`.execute(db);
  await sql`create trigger issue_to_prepare_on_update
    after update of content_markdown on final_newsletters
    begin ${forgetAndNote} end`.execute(db);
  await sql`create trigger issue_to_prepare_on_delete after delete on final_newsletters begin
    delete from prepared_issues where issue_id = old.id;
    delete from issues_to_prepare where issue_id = old.id;
  end`.execute(db);
}
