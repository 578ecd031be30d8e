import { type Kysely, sql } from "kysely";

/**
 * What a message is searched by, without accents and capitals. PostgreSQL took longer than a statement may to fold ten
 * thousand messages at each search.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["contact_messages", "message_notes"]) {
    await sql`alter table ${sql.table(table)} add column search_text text not null default ''`.execute(
      db,
    );
  }
  for (let lastId = 0; ; ) {
    const { rows } = await sql<{ id: number; words: string }>`select id,
      concat_ws(' ', first_name, last_name, email, company, phone, message) as words
      from contact_messages where id > ${lastId} order by id limit 500`.execute(db);
    for (const { id, words } of rows) {
      await sql`update contact_messages set search_text = ${fold(words)} where id = ${id}`.execute(
        db,
      );
    }
    const last = rows.at(-1);
    if (!last) return;
    lastId = last.id;
  }
}

/** As db/hold-text.ts folds. */
function fold(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  return plain.toLowerCase().replaceAll("ς", "σ");
}
