import { sql } from "kysely";
import { isPostgres } from "./database-handle.ts";
import type { Db } from "./tables.ts";

/** `Étienne` becomes `etienne`, for comparing what people type. */
export function foldText(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  return plain.toLowerCase().replaceAll("ς", "σ");
}

function wordsOf(typed: string): string[] {
  return foldText(typed).split(/\s+/).filter(Boolean).slice(0, 10);
}

export function hasWords(text: string, typed: string): boolean {
  const folded = foldText(text);
  return wordsOf(typed).every((word) => folded.includes(word));
}

export function holdsText(db: Db, typed: string) {
  const position = sql.raw(isPostgres(db) ? "strpos" : "instr");
  const held = wordsOf(typed).map((word) => sql`${position}(search_text, ${word}) > 0`);
  return sql<boolean>`(${sql.join([sql`true`, ...held], sql` and `)})`;
}

const searched = ["first_name", "last_name", "email", "company", "phone", "message"] as const;

export function searchTextOf(message: Record<(typeof searched)[number], string>): string {
  return foldText(searched.map((name) => message[name]).join(" "));
}
