import { CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";

/** A row of a CSV file with the line that it starts on, counted from 1. */
type CsvRow = { line: number; cells: string[] };

type CsvFault = { line: number; message: string };

/**
 * Reads CSV as RFC 4180 describes it, with whatever separates the cells. Blank lines are skipped. A row that is not CSV
 * becomes a fault, and reading goes on with its second line, so that a quote that is never closed hides nothing else.
 */
export function* parseCsv(text: string): Generator<CsvRow | CsvFault, void> {
  // Excel may name the separator in a line of its own; the line stays, blank, so that the others keep their numbers.
  const [named = "", separator = separatorOf(text)] =
    /^"?sep=([^\r\n])"?(?=[\r\n])/i.exec(text) ?? [];
  const bytes = Buffer.from(text.slice(named.length));
  let at = 0;
  let line = 1;

  const isAt = (index: number, sign: "\n" | "\r") => bytes[index] === sign.charCodeAt(0);
  const isLineEnd = (index: number) =>
    isAt(index, "\n") || (isAt(index, "\r") && !isAt(index + 1, "\n"));
  function moveTo(end: number): void {
    for (; at < end; at += 1) if (isLineEnd(at)) line += 1;
  }
  function skipBlankLines(): void {
    while (isAt(at, "\n") || isAt(at, "\r")) moveTo(at + 1);
  }

  // The library stops at its first error, so each fault begins another pass.
  while (at < bytes.length) {
    const start = at;
    const rows: (CsvRow | CsvFault)[] = [];
    try {
      parse(bytes.subarray(start), {
        delimiter: separator,
        record_delimiter: ["\r\n", "\n", "\r"],
        relax_column_count: true,
        skip_empty_lines: true,
        to: 1_000,
        on_record(cells: string[], context) {
          skipBlankLines();
          rows.push({ line, cells });
          moveTo(start + context.bytes);
          return null;
        },
      });
      if (at === start) return;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      skipBlankLines();
      rows.push({ line, message: faults[error.code] ?? `is not CSV: ${error.message}.` });
      while (at < bytes.length && !isLineEnd(at)) at += 1;
      moveTo(at + 1);
    }
    yield* rows;
  }
}

/** The sign that most often separates the cells of the heading line: spreadsheets also write semicolons and tabs. */
function separatorOf(text: string): string {
  const heading = (/[^\r\n]+/.exec(text)?.[0] ?? "").replace(/"[^"]*"/g, "");
  const count = (sign: string) => heading.split(sign).length;
  return [",", ";", "\t", "|"].reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

const faults: Partial<Record<CsvError["code"], string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quoted cell opens here and is never closed.",
  CSV_INVALID_CLOSING_QUOTE: "a quoted cell is followed by text; a quote inside a cell is doubled.",
  INVALID_OPENING_QUOTE: "a cell holds a quote; put the cell in quotes, and double the one inside.",
};

/** One CSV row as RFC 4180 describes it, with its line end. */
export function formatCsvRow(cells: string[]): string {
  // Also quotes what separates cells or rows in a spreadsheet, if not in this file.
  return stringify([cells], { record_delimiter: "windows", quoted_match: /[;\t\r\n]/ });
}

// Excel, LibreOffice and Google Sheets take these for the start of a formula (OWASP, "CSV Injection"). Where the list
// separator is a semicolon, as in French Canada, a semicolon, a tab or a line end inside a cell begins a new cell.
const formula = /((?:^|[;\t\r\n])[ "]*)('*)(?=[=+\-@＝＋－＠])/g;
const guardedFormula = /((?:^|[;\t\r\n])[ "]*)'('*)(?=[=+\-@＝＋－＠])/g;

/** Puts an apostrophe before each text that a spreadsheet would run as a formula, whichever separator it splits at. */
export function guardFormula(cell: string): string {
  return cell.replace(formula, "$1'$2");
}

export function unguardFormula(cell: string): string {
  return cell.replace(guardedFormula, "$1$2");
}
