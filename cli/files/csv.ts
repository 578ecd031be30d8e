/** A row of a CSV file with the line that it starts on, counted from 1. */
export type CsvRow = { line: number; cells: string[] };

/** A place where the text is not CSV. */
export type CsvFault = { line: number; message: string };

type ParsedCsv = { ok: true; rows: CsvRow[] } | { ok: false; fault: CsvFault };

/** Reads CSV as RFC 4180 lays it out: quoted cells may hold commas, line breaks and doubled quotes. Blank lines are passed over. */
export function parseCsv(text: string): ParsedCsv {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let rowLine = 1;
  let at = 0;

  function endRow(): void {
    if (cells.length > 1 || cells[0] !== "") rows.push({ line: rowLine, cells });
    cells = [];
    line += 1;
    rowLine = line;
  }

  while (at < text.length || cells.length > 0) {
    if (text[at] === '"') {
      const cellLine = line;
      const end = quotedCellEnd(text, at);
      if (end === -1) return fault(cellLine, "a quoted cell opens here and is never closed.");
      const cell = text.slice(at + 1, end);
      line += cell.split("\n").length - 1;
      cells.push(cell.replaceAll('""', '"'));
      at = end + 1;
      if (at < text.length && !/[,\r\n]/.test(text[at] ?? "")) {
        return fault(line, "a quoted cell is followed by text; a quote inside a cell is doubled.");
      }
    } else {
      const end = plainCellEnd(text, at);
      cells.push(text.slice(at, end));
      at = end;
    }
    if (text[at] === ",") {
      at += 1;
      // A comma at the very end of the file still opens an empty cell.
      if (at === text.length) cells.push("");
      else continue;
    }
    endRow();
    if (text.startsWith("\r\n", at)) at += 2;
    else at += 1;
  }
  return { ok: true, rows };
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

function plainCellEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !/[,\r\n]/.test(text[at] ?? "")) at += 1;
  return at;
}

function fault(line: number, message: string): ParsedCsv {
  return { ok: false, fault: { line, message } };
}
