import { CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";

export type Problem = {
  file: string | null;
  line: number | null;
  message: string;
};

export type FileRecord = { line: number; fields: Record<string, unknown> };

export type RecordFormat = "csv" | "json" | "ndjson";

type Records = {
  format: RecordFormat;
  /** The heading line of CSV; otherwise every name that a record uses. */
  names: string[];
  /** In the order of the file, with a problem for each line that is not a record. CSV is read as they are taken. */
  rows: Iterable<FileRecord | Problem>;
};

type TextFile = { name: string; text: string };

/**
 * Reads records from CSV with a heading line, a JSON array of objects, or one JSON object a line (NDJSON); told apart
 * by the first character. An empty CSV cell is null.
 */
export function readRecords(file: TextFile): Records {
  const first = file.text.trimStart()[0];
  if (first === undefined) {
    const problem = { file: file.name, line: null, message: "the file is empty." };
    return { format: "csv", names: [], rows: [problem] };
  }
  if (first !== "[" && first !== "{") return readCsv(file);
  const rows = first === "[" ? readJsonArray(file) : readJsonLines(file);
  const names = rows.flatMap((row) => ("fields" in row ? Object.keys(row.fields) : []));
  return { format: first === "[" ? "json" : "ndjson", names: [...new Set(names)], rows };
}

/** Reads all records of a file that is good as a whole or not at all, with every problem in it. */
export function readAllRecords(file: TextFile): {
  format: RecordFormat;
  records: FileRecord[];
  problems: Problem[];
} {
  const { format, rows } = readRecords(file);
  const records: FileRecord[] = [];
  const problems: Problem[] = [];
  for (const row of rows) {
    if ("fields" in row) records.push(row);
    else problems.push(row);
  }
  return { format, records, problems };
}

function readCsv({ name: file, text }: TextFile): Records {
  const parsed = parseCsv(text);
  const { value: heading } = parsed.next();
  if (!heading || "message" in heading) {
    // Without its heading line, a file says nothing.
    return { format: "csv", names: [], rows: heading ? [{ file, ...heading }] : [] };
  }
  const names = heading.cells.map((cell) => cell.trim());
  function* rows(): Generator<FileRecord | Problem> {
    for (const row of parsed) {
      if ("message" in row) yield { file, ...row };
      else if (row.cells.length !== names.length) {
        const message = `has ${row.cells.length} cells; the heading line has ${names.length}.`;
        yield { file, line: row.line, message };
      } else {
        const values = row.cells.map((cell) => (cell === "" ? null : unguardFormula(cell)));
        const cells = names.map((name, at) => [name, values[at]] as const);
        // The first of two columns with one name counts.
        yield { line: row.line, fields: Object.fromEntries(cells.reverse()) };
      }
    }
  }
  return { format: "csv", names, rows: rows() };
}

function readJsonLines({ name, text }: TextFile): (FileRecord | Problem)[] {
  return text.split("\n").flatMap((one, at) => {
    if (one.trim() === "") return [];
    const read = parseJson(one);
    const line = at + 1;
    if ("value" in read) return fileRecord(name, line, read.value);
    return { file: name, line, message: read.message };
  });
}

function readJsonArray({ name, text }: TextFile): (FileRecord | Problem)[] {
  const read = parseJson(text);
  if ("message" in read) return [{ file: name, ...read }];
  const lines = elementLines(text);
  return (read.value as unknown[]).map((value, at) => fileRecord(name, lines[at] ?? 1, value));
}

function fileRecord(file: string, line: number, value: unknown): FileRecord | Problem {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isRecord) return { file, line, message: "is not an object with fields." };
  return { line, fields: value as Record<string, unknown> };
}

function elementLines(text: string): number[] {
  const lines: number[] = [];
  let [depth, line, isNext] = [0, 1, false];
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[\n[\]{},]|[^\s[\]{},"]+/g)) {
    if (token === "\n") {
      line += 1;
      continue;
    }
    if (isNext) lines.push(line);
    isNext = depth === 1 ? token === "," : depth === 0;
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
  }
  return lines;
}

type LineFault = { line: number; message: string };

function parseJson(text: string): { value: unknown } | LineFault {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // The parser's message quotes a piece of the file, which may be long or private.
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    const words = message.replace(/, (\.\.\.)?".*$/s, "").replace(/ in JSON at.*$/s, "");
    const line = text.slice(0, at === undefined ? undefined : Number(at)).split("\n").length;
    return { line, message: `is not valid JSON: ${words}.` };
  }
}

export type ExportedRecord = Record<string, string | number | null>;

const pageRows = 500;

/** The rows of a list that is read a page at a time, at most `limit` of them. */
export async function* inPages<Row extends { id: number }>(
  read: (limit: number, after?: number) => Promise<Row[]>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  let after: number | undefined;
  for (let left = limit; left > 0; ) {
    const page = await read(Math.min(pageRows, left), after);
    yield* page;
    if (page.length < pageRows) return;
    left -= page.length;
    after = page.at(-1)?.id;
  }
}

/** Records as the text of a file, which begins once the first record is there: a database that fails leaves no half file. */
export async function* writeRecords(
  records: AsyncIterable<ExportedRecord>,
  columns: string[],
  format: RecordFormat,
): AsyncGenerator<string> {
  const heading = { csv: formatCsvRow(columns), json: "[", ndjson: "" }[format];
  let begun = false;
  for await (const record of records) {
    if (!begun) yield heading;
    if (format === "csv") {
      yield formatCsvRow(columns.map((column) => guardFormula(String(record[column] ?? ""))));
    } else if (format === "ndjson") yield `${JSON.stringify(record)}\n`;
    else yield `${begun ? ",\n" : "\n"}${JSON.stringify(record)}`;
    begun = true;
  }
  if (!begun) yield heading;
  if (format === "json") yield "\n]\n";
}

// CSV, read and written.

/** A row of a CSV file with the line that it starts on, counted from 1. */
type CsvRow = { line: number; cells: string[] };

/**
 * Reads CSV as RFC 4180 describes it, with whatever separates the cells. Blank lines are skipped. A row that is not CSV
 * becomes a fault, and reading goes on with its second line, so that a quote that is never closed hides nothing else.
 */
export function* parseCsv(text: string): Generator<CsvRow | LineFault, void> {
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
    const rows: (CsvRow | LineFault)[] = [];
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
