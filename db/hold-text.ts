import { sql } from "kysely";
import { isPostgres } from "./database-handle.ts";
import type { Db } from "./tables.ts";

/** Text without accents and capitals, for comparing what people type: `Étienne` becomes `etienne`. */
export function foldText(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  return plain.toLowerCase().replaceAll("ς", "σ");
}

/** Whether a table's `search_text` contains what people type. */
export function holdsText(db: Db, typed: string) {
  const position = sql.raw(isPostgres(db) ? "strpos" : "instr");
  return sql<boolean>`${position}(search_text, ${foldText(typed)}) > 0`;
}
