import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "./database-handle.ts";
import type { Db } from "./tables.ts";

/** Text without accents and capitals, for comparing what people type: `Étienne` becomes `etienne`. */
export function foldText(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  return plain.toLowerCase().replaceAll("ς", "σ");
}

// PostgreSQL's lower() changes ASCII alone where the database was made with the locale C, so letters up to Hebrew are listed.
const capitals = Array.from({ length: 0x590 - 0x80 }, (_, at) => String.fromCharCode(0x80 + at))
  .filter((letter) => letter.normalize("NFKD") === letter && !/\p{M}/u.test(letter))
  .filter((letter) => foldText(letter) !== letter && foldText(letter).length === 1)
  .join("");
const smallLetters = [...capitals].map(foldText).join("");

/**
 * Whether a text of the database contains another, whatever the capitals and accents of either. PostgreSQL knows letters
 * beyond ASCII in UTF8 alone: elsewhere they have to be typed as they are.
 */
export function holdsText(db: Db, text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  const contains = (words: string) => `%${words.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const pattern = contains(foldText(part));
  if (!isPostgres(db)) {
    // Most text is plain, which SQLite compares ten times as fast as this program does.
    return sql`case when ${text} glob '*[^ -~]*' then fold(${text}) else ${text} end
      like ${pattern} escape '\\'`;
  }
  const plain = sql`lower(regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g'))`;
  return sql`case getdatabaseencoding()
    when 'UTF8' then translate(${plain}, ${capitals}, ${smallLetters}) like ${pattern}
    else lower(${text}) like lower(${contains(part)}) end`;
}
