import { type Kysely, PostgresAdapter, sql } from "kysely";

/** When an issue was last changed after it was stored, by whatever program: the sitemap tells search engines of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) await onPostgres(db);
  else await onSqlite(db);
}

async function onPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create table issue_edits (issue_id bigint primary key, edited_at text not null)`.execute(
    db,
  );
  await sql`create function note_issue_edit() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        delete from issue_edits where issue_id = old.id;
      elsif (old.title, old.content_markdown) is distinct from (new.title, new.content_markdown) then
        insert into issue_edits (issue_id, edited_at)
          values (new.id, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          on conflict (issue_id) do update set edited_at = excluded.edited_at;
      end if;
      return null;
    end
  $$`.execute(db);
  await sql`create trigger issue_edit_noted
    after update of title, content_markdown or delete on final_newsletters
    for each row execute function note_issue_edit()`.execute(db);
  await sql`create function forget_issue_edits() returns trigger language plpgsql as $$
    begin delete from issue_edits; return null; end
  $$`.execute(db);
  await sql`create trigger issue_edits_forgotten after truncate on final_newsletters
    for each statement execute function forget_issue_edits()`.execute(db);
}

async function onSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create table issue_edits (issue_id integer primary key, edited_at text not null)
    strict`.execute(db);
  const forget = sql`delete from issue_edits where issue_id = `;
  await sql`create trigger issue_edit_on_update after update of title, content_markdown
    on final_newsletters
    when old.title is not new.title or old.content_markdown is not new.content_markdown begin
      ${forget} new.id;
      insert into issue_edits (issue_id, edited_at)
        values (new.id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
    end`.execute(db);
  // At an insert too: one that replaces a row deletes that without a trigger.
  await sql`create trigger issue_edit_on_insert after insert on final_newsletters
    begin ${forget} new.id; end`.execute(db);
  await sql`create trigger issue_edit_on_delete after delete on final_newsletters
    begin ${forget} old.id; end`.execute(db);
}
