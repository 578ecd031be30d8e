import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * On SQLite, titles get an index of their own: asked for in one column, an index of two goes through every issue that has
 * the words in the other. PostgreSQL has one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  await sql`create virtual table prepared_issue_titles using fts5(
    title, content = '', contentless_delete = 1, detail = none, prefix = '3 4 5', tokenize = 'ascii'
  )`.execute(db);
  await sql`create virtual table words_by_issue using fts5vocab(prepared_issue_words, instance)`.execute(
    db,
  );
  await sql`insert into prepared_issue_titles (rowid, title)
    select doc, group_concat(term, ' ') from words_by_issue where col = 'title' group by doc`.execute(
    db,
  );
  await sql`drop table words_by_issue`.execute(db);
  await sql`create trigger prepared_issue_titles_deleted after delete on prepared_issues begin
    delete from prepared_issue_titles where rowid = old.issue_id;
  end`.execute(db);
}
