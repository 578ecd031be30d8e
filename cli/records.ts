import { type Command, Option } from "commander";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "./command-context.ts";
import { CommandError, type Problem } from "./command-error.ts";
import { formatCsvRow, guardFormula, parseCsv, unguardFormula } from "./csv.ts";
import type { CommandResult } from "./site-command.ts";
import { writeNewFile } from "./text-files.ts";

export type FileRecord = { line: number; fields: Record<string, unknown> };

type RecordFormat = "csv" | "json" | "ndjson";

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
        // Of two columns with one name, the first counts.
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
    return read.ok
      ? fileRecord(name, line, read.value)
      : { file: name, line, message: read.message };
  });
}

function readJsonArray({ name, text }: TextFile): (FileRecord | Problem)[] {
  const whole = parseJson(text);
  const elements = arrayElements(text);
  if (whole.ok) {
    const values = whole.value as unknown[];
    return values.map((value, at) => fileRecord(name, elements[at]?.line ?? 1, value));
  }
  const broken = elements.find((element) => !parseJson(element.text).ok);
  const line = broken?.line ?? text.split("\n").length;
  return [{ file: name, line, message: whole.message }];
}

function fileRecord(file: string, line: number, value: unknown): FileRecord | Problem {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isRecord) return { file, line, message: "is not an object with fields." };
  return { line, fields: value as Record<string, unknown> };
}

/** Where each element of the outermost array begins, also in an array that is not whole. */
function arrayElements(text: string): { line: number; text: string }[] {
  const starts: number[] = [];
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]|[^\s[\]{},"]+/gs;
  let depth = 0;
  let isExpected = false;
  for (const { 0: word, index } of text.matchAll(token)) {
    if (depth === 1 && isExpected && word !== "," && word !== "]") {
      starts.push(index);
      isExpected = false;
    }
    if (word === "[" || word === "{") depth += 1;
    else if (word === "]" || word === "}") depth -= 1;
    if (depth === 1 && (word === "," || starts.length === 0)) isExpected = true;
  }
  let line = 1;
  let from = 0;
  return starts.map((start, at) => {
    line += text.slice(from, start).split("\n").length - 1;
    from = start;
    return { line, text: text.slice(start, starts[at + 1]).replace(/[\s,\]]+$/, "") };
  });
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // The parser's message quotes a piece of the file, which may be long or private.
    const message = error instanceof Error ? error.message : String(error);
    const words = message.replace(/, (\.\.\.)?".*$/s, "").replace(/ in JSON at.*$/s, "");
    return { ok: false, message: `is not valid JSON: ${words}.` };
  }
}

export type ExportOptions = { format?: RecordFormat; output?: string; force?: boolean };

/** A row of an export, made by the reader of each column. */
export function recordOf<Row, Cell extends string | number | null>(
  fields: Record<string, (row: Row) => Cell>,
  row: Row,
): Record<string, Cell> {
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(row)]));
}

type ExportedRecord = Record<string, string | number | null>;

export const csvNotes = `CSV is as RFC 4180 lays it out, in UTF-8. A cell that a spreadsheet would run as a
formula (it begins with = + - @ or a tab) gets an apostrophe in front, so "+1 416 …"
reads "'+1 416 …". JSON and NDJSON hold every value as it is.`;

export function withExportOptions(command: Command, formats: RecordFormat[]): Command {
  return command
    .addOption(
      new Option(
        "--format <format>",
        "how to write it; by default as the file's name ends, else CSV",
      ).choices(formats),
    )
    .option("-o, --output <file>", "write to a new file instead of standard output")
    .option("--force", "let --output replace a file that is there");
}

/** Writes records to `--output`, or to standard output, in the format asked for; `--json` means JSON. */
export async function exportRecords(
  context: CommandContext,
  {
    columns,
    read,
  }: { columns: string[]; read: (store: OpenStore) => AsyncIterable<ExportedRecord> },
  options: ExportOptions,
): Promise<CommandResult> {
  const records = recordsOfStore(context, read);
  const { output, force } = options;
  if (output === undefined) {
    if (context.json && options.format !== undefined && options.format !== "json") {
      throw new CommandError(`--json and --format ${options.format} ask for different things.`);
    }
    const format = context.json ? "json" : (options.format ?? "csv");
    return { stream: writeRecords(records, columns, format) };
  }
  const format = options.format ?? formatByName(output);
  const counter = { count: 0 };
  await writeNewFile(
    context.resolvePath(output),
    writeRecords(counted(records, counter), columns, format),
    { force },
  );
  const { count } = counter;
  return {
    json: { output, format, exported: count },
    text: `Wrote ${count} ${count === 1 ? "row" : "rows"} to ${output} (${format.toUpperCase()}). It holds personal information; only your user can read it.`,
  };
}

async function* recordsOfStore(
  context: CommandContext,
  read: (store: OpenStore) => AsyncIterable<ExportedRecord>,
): AsyncGenerator<ExportedRecord> {
  const store = await context.openStore();
  try {
    yield* read(store);
  } finally {
    await store.close();
  }
}

function formatByName(path: string): RecordFormat {
  const ending = /\.(json|ndjson)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === "json" || ending === "ndjson" ? ending : "csv";
}

async function* counted<Item>(items: AsyncIterable<Item>, counter: { count: number }) {
  for await (const item of items) {
    counter.count += 1;
    yield item;
  }
}

async function* writeRecords(
  records: AsyncIterable<ExportedRecord>,
  columns: string[],
  format: RecordFormat,
): AsyncGenerator<string> {
  const heading = { csv: formatCsvRow(columns), json: "[", ndjson: "" }[format];
  let begun = false;
  for await (const record of records) {
    // Nothing is written before the first record is there: a database that can't be opened leaves no half answer.
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
