import { sql } from "kysely";
import { isPostgres } from "./database-handle.ts";
import type { Database, Db } from "./tables.ts";

/** Text without accents and capitals, for comparing what people type: `Étienne` becomes `etienne`. */
export function foldText(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  return plain.toLowerCase().replaceAll("ς", "σ");
}

/** What somebody looks for: ten words at most, folded. */
function wordsOf(typed: string): string[] {
  return foldText(typed).split(/\s+/).filter(Boolean).slice(0, 10);
}

/** Whether a text contains each word that somebody typed. */
export function hasWords(text: string, typed: string): boolean {
  const folded = foldText(text);
  return wordsOf(typed).every((word) => folded.includes(word));
}

/** The same of a table's `search_text`. */
export function holdsText(db: Db, typed: string) {
  const position = sql.raw(isPostgres(db) ? "strpos" : "instr");
  const held = wordsOf(typed).map((word) => sql`${position}(search_text, ${word}) > 0`);
  return sql<boolean>`(${sql.join([sql`true`, ...held], sql` and `)})`;
}

const searchedColumns = {
  subscribers: ["email", "first_name", "last_name", "tags"],
  contact_messages: ["first_name", "last_name", "email", "company", "phone", "message"],
} as const satisfies Partial<Record<keyof Database, readonly string[]>>;

type Searched = typeof searchedColumns;
type Words<Table extends keyof Searched> = Record<Searched[Table][number], string>;

/** What a row's `search_text` is: its words, folded. */
export function searchTextOf<Table extends keyof Searched>(table: Table, row: Words<Table>) {
  const columns: readonly Searched[Table][number][] = searchedColumns[table];
  return foldText(columns.map((name) => row[name]).join(" "));
}
