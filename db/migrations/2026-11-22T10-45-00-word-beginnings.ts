import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * Indexes for what search asks: on SQLite the beginnings of words, which it would collect from all words that begin so;
 * on PostgreSQL the words of titles.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`create index prepared_issues_title_words
      on prepared_issues using gin (ts_filter(words, '{a}'::"char"[]))`.execute(db);
    return;
  }
  await sql`create virtual table words_with_beginnings using fts5(
    title, body, content = '', contentless_delete = 1, detail = column, prefix = '3 4 5', tokenize = 'ascii'
  )`.execute(db);
  // The words as they were indexed, each once: how often an issue has one is not asked for.
  await sql`create virtual table words_by_issue using fts5vocab(prepared_issue_words, instance)`.execute(
    db,
  );
  await sql`insert into words_with_beginnings (rowid, title, body)
    select doc, group_concat(term, ' ') filter (where col = 'title'),
      group_concat(term, ' ') filter (where col = 'body')
    from words_by_issue group by doc`.execute(db);
  await sql`drop table words_by_issue`.execute(db);
  await sql`drop trigger prepared_issues_deleted`.execute(db);
  await sql`drop table prepared_issue_words`.execute(db);
  await sql`alter table words_with_beginnings rename to prepared_issue_words`.execute(db);
  await sql`create trigger prepared_issues_deleted after delete on prepared_issues begin
    delete from prepared_issue_words where rowid = old.issue_id;
  end`.execute(db);
}
