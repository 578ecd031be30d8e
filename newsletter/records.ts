import { sql } from "kysely";
import { searchWords } from "#content/text.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Db } from "#db/tables.ts";

/** Whether a row's `search_text`, which is folded, holds each word of what was typed. */
export function holdsText(db: Db, typed: string) {
  const position = sql.raw(isPostgres(db) ? "strpos" : "instr");
  const held = searchWords(typed).map((word) => sql`${position}(search_text, ${word}) > 0`);
  return sql<boolean>`(${sql.join([sql`true`, ...held], sql` and `)})`;
}

type ExportedRecord = Record<string, string | number | null>;

const pageRows = 500;

/** The rows of a list that is read a page at a time. */
export async function* inPages<Row extends { id: number }>(
  read: (limit: number, after?: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let page: Row[] = [];
  do {
    page = await read(pageRows, page.at(-1)?.id);
    yield* page;
  } while (page.length === pageRows);
}

/** Records as the text of a file, which begins once the first record is there: a database that fails leaves no half file. */
export async function* writeRecords(
  records: AsyncIterable<ExportedRecord>,
  columns: string[],
  format: "csv" | "json",
): AsyncGenerator<string> {
  // Excel takes a file without the mark for Windows-1252.
  const heading = format === "csv" ? `\ufeff${formatCsvRow(columns)}` : "[";
  let begun = false;
  for await (const record of records) {
    if (!begun) yield heading;
    yield format === "csv"
      ? formatCsvRow(columns.map((column) => guardFormula(String(record[column] ?? ""))))
      : `${begun ? ",\n" : "\n"}${JSON.stringify(record)}`;
    begun = true;
  }
  if (!begun) yield heading;
  if (format === "json") yield "\n]\n";
}

export type Export = { columns: string[]; records: AsyncIterable<ExportedRecord> };

export function formatCsvRow(cells: string[]): string {
  const quoted = cells.map((cell) =>
    /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(",")}\r\n`;
}

// Spreadsheets run these as formulas (OWASP, "CSV Injection"), also in a cell begun by a semicolon or
// tab.
const formula = /((?:^|[;\t\r\n])[ "]*)('*)(?=[=+\-@＝＋－＠])/g;

export function guardFormula(cell: string): string {
  return cell.replace(formula, "$1'$2");
}
