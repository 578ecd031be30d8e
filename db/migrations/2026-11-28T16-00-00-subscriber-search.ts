import { type Kysely, sql } from "kysely";

/**
 * What a subscriber is searched by, without accents and capitals. PostgreSQL took longer than a statement may to fold a
 * hundred thousand subscribers at each search.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscribers add column search_text text not null default ''`.execute(db);
  for (let lastId = 0; ; ) {
    const { rows } = await sql<{ id: number; words: string }>`select id,
      concat_ws(' ', email, first_name, last_name, tags) as words
      from subscribers where id > ${lastId} order by id limit 100`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    lastId = last.id;
    const folded = rows.map(({ id, words }) => sql`when ${id} then ${fold(words)}`);
    await sql`update subscribers set search_text = case id ${sql.join(folded, sql` `)} end
      where id >= ${rows[0]?.id} and id <= ${lastId}`.execute(db);
  }
}

/** As db/hold-text.ts folds. */
function fold(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  return plain.toLowerCase().replaceAll("ς", "σ");
}
