import {
  formatCsvRow,
  guardFormula,
  type Problem,
  parseCsv,
  unguardFormula,
} from "#newsletter/text-files.ts";

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

function parseJson(text: string): { value: unknown } | { line: number; message: string } {
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
  const heading = format === "csv" ? formatCsvRow(columns) : "[";
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
