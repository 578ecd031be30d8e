/** A row of a CSV file with the line that it starts on, counted from 1. */
export type CsvRow = { line: number; cells: string[] };

/** A place where the text is not CSV. */
export type CsvFault = { line: number; message: string };

type ParsedCsv = { ok: true; rows: CsvRow[] } | { ok: false; fault: CsvFault };

/**
 * Reads CSV as RFC 4180 lays it out: quoted cells may hold commas, line breaks and doubled quotes. Blank lines are passed
 * over.
 */
export function parseCsv(text: string): ParsedCsv {
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const read = readCsvRow(text, at, { line, isWhole: true });
    if (!read) break;
    if (read.fault) return { ok: false, fault: read.fault };
    if (!isBlank(read.row)) rows.push(read.row);
    ({ at, line } = read);
  }
  return { ok: true, rows };
}

export function isBlank({ cells }: CsvRow): boolean {
  return cells.length === 1 && cells[0] === "";
}

/** A row or what keeps it from being one, and where the next one begins: after a fault, on the row's second line. */
type ReadRow = { at: number; line: number } & (
  | { row: CsvRow; fault?: undefined }
  | { fault: CsvFault }
);

const plainCell = /[^,\r\n]*/y;

/**
 * Reads the row that begins at a place of the text. Null where the text ends before the row is sure to: more of it has to
 * come, unless it `isWhole`.
 */
export function readCsvRow(
  text: string,
  from: number,
  { line: rowLine, isWhole }: { line: number; isWhole: boolean },
): ReadRow | null {
  const cells: string[] = [];
  let at = from;
  let line = rowLine;
  for (;;) {
    if (text[at] === '"') {
      const end = quotedCellEnd(text, at);
      // A quote at the end of a piece may be the first of two.
      if (!isWhole && (end === -1 || end === text.length - 1)) return null;
      if (end === -1) return { ...nextLine(text, from, rowLine), fault: unclosed(line) };
      const cell = text.slice(at + 1, end);
      const cellLine = line;
      line += cell.split("\n").length - 1;
      cells.push(cell.replaceAll('""', '"'));
      at = end + 1;
      if (at < text.length && !/[,\r\n]/.test(text[at] ?? "")) {
        const message = "a quoted cell is followed by text; a quote inside a cell is doubled.";
        const next = nextLine(text, from, rowLine);
        const isCut = !isWhole && next.at > text.length;
        return isCut ? null : { ...next, fault: { line: cellLine, message } };
      }
    } else {
      plainCell.lastIndex = at;
      const [cell = ""] = plainCell.exec(text) ?? [];
      cells.push(cell);
      at += cell.length;
    }
    if (at >= text.length - 1 && !isWhole) return null;
    if (text[at] === ",") {
      at += 1;
      continue;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    return { at, line: line + 1, row: { line: rowLine, cells } };
  }
}

export function unclosed(line: number): CsvFault {
  return { line, message: "a quoted cell opens here and is never closed." };
}

/** Past the end of the text where it has no other line. */
function nextLine(text: string, from: number, line: number): { at: number; line: number } {
  const end = text.indexOf("\n", from);
  return { at: (end === -1 ? text.length : end) + 1, line: line + 1 };
}

/** One CSV row as RFC 4180 writes it, with its line end. */
export function formatCsvRow(cells: string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

// What Excel, LibreOffice and Google Sheets take for the start of a formula (OWASP, "CSV Injection"). Where the list
// separator is a semicolon, as in most of Europe and in French Canada, a semicolon, a tab or a line end inside a cell
// begins a new one there, since a quote that doesn't open the line's cell is a sign like any other.
const formula = /((?:^|[;\t\r\n])[ "]*)('*)(?=[=+\-@＝＋－＠])/g;
const guardedFormula = /((?:^|[;\t\r\n])[ "]*)'('*)(?=[=+\-@＝＋－＠])/g;

/**
 * A cell that no spreadsheet runs, whichever separator it splits at: an apostrophe goes before text that would be taken
 * for a formula, one more where there are some already.
 */
export function guardFormula(cell: string): string {
  return cell.replace(formula, "$1'$2");
}

/** The cell as it was before {@link guardFormula}. */
export function unguardFormula(cell: string): string {
  return cell.replace(guardedFormula, "$1$2");
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function quotedCellEnd(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1 || text[at + 1] !== '"') return at;
    at += 2;
  }
}
