import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * What pages show of issues, prepared once, and the words that search finds them by. Beside `final_newsletters`, which has
 * exactly its four columns.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) await onPostgres(db);
  else await onSqlite(db);
}

async function onPostgres(db: Kysely<unknown>): Promise<void> {
  // Bodies lie outside the table's own pages here, so that lists and counts go by the table and its key.
  await sql`create table prepared_issues (
    issue_id bigint primary key,
    body_key text not null,
    html text not null,
    plain_text text not null,
    words tsvector not null
  )`.execute(db);
  await sql`create index prepared_issues_words on prepared_issues using gin (words)`.execute(db);
  await sql`create table search_words (word text collate "C" primary key)`.execute(db);
}

async function onSqlite(db: Kysely<unknown>): Promise<void> {
  // Titles, dates and counts without the pages that hold the bodies.
  await sql`create index final_newsletters_heads
    on final_newsletters (id desc, title, publish_date)`.execute(db);
  await sql`create table prepared_issues (
    issue_id integer primary key,
    body_key text not null,
    html text not null,
    plain_text text not null
  ) strict`.execute(db);
  // The index alone: the words themselves are in the table above.
  await sql`create virtual table prepared_issue_words using fts5(
    title, body, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii'
  )`.execute(db);
  // By a trigger: a row of a full-text table that is deleted by itself leaves a last row id too large for a number.
  await sql`create trigger prepared_issues_deleted after delete on prepared_issues begin
    delete from prepared_issue_words where rowid = old.issue_id;
  end`.execute(db);
  await sql`create table search_words (word text primary key) strict, without rowid`.execute(db);
}
