import { CommandError, problemsError } from "../../command-error.ts";
import { unguardFormula } from "../../files/csv.ts";
import { readRecords } from "../../files/read-records.ts";
import { formatBytes, type TextStream } from "../../files/read-text-file.ts";
import { streamCsv } from "../../files/stream-csv.ts";

/** JSON is read whole. */
const jsonMaxBytes = 50_000_000;

/** A row of a list, or what is wrong with its line. */
type ListRow = { line: number } & (
  | { fields: Record<string, unknown>; fault?: undefined }
  | { fault: string }
);

/** The names of a list's columns, and its rows as they are read. */
export type OpenList = { names: string[]; rows: AsyncIterable<ListRow> };

/** Opens CSV with a heading line, a JSON array, or one JSON object a line, told apart by the first character. */
export async function openList(file: TextStream): Promise<OpenList> {
  const pieces = file.pieces[Symbol.asyncIterator]();
  let start = "";
  while (start.trim() === "") {
    const piece = await pieces.next();
    if (piece.done) throw new CommandError(`${file.name}: the file is empty.`);
    start += piece.value;
  }
  async function* all(): AsyncGenerator<string> {
    yield start;
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
      yield piece.value;
    }
  }
  return /^\s*[[{]/.test(start) ? await openJson(file, all()) : await openCsv(file, all());
}

async function openJson(file: TextStream, pieces: AsyncIterable<string>): Promise<OpenList> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (file.readBytes() > jsonMaxBytes) {
      const limit = `larger than the limit of ${formatBytes(jsonMaxBytes)} for JSON; CSV has none.`;
      throw new CommandError(`${file.name}: ${limit}`);
    }
  }
  const read = readRecords({ name: file.name, text });
  if (!read.ok) throw problemsError(read.problems, "Nothing was imported:");
  const { records } = read;
  async function* rows(): AsyncGenerator<ListRow> {
    yield* records;
  }
  return {
    names: [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))],
    rows: rows(),
  };
}

async function openCsv(file: TextStream, pieces: AsyncIterable<string>): Promise<OpenList> {
  const csv = streamCsv(pieces);
  const { value: heading } = await csv.next();
  if (!heading) throw new CommandError(`${file.name}: the file is empty.`);
  if ("message" in heading) {
    throw new CommandError(`${file.name}:${heading.line}: ${heading.message}`);
  }
  const names = heading.cells.map((cell) => cell.trim());
  async function* rows(): AsyncGenerator<ListRow> {
    for await (const row of csv) {
      const { line } = row;
      if ("message" in row) yield { line, fault: row.message };
      else if (row.cells.length !== names.length) {
        const fault = `has ${row.cells.length} cells; the heading line has ${names.length}.`;
        yield { line, fault };
      } else {
        const cells = row.cells.map((cell) => (cell === "" ? null : unguardFormula(cell)));
        // The first of two columns with one name counts, as it does in the table of columns.
        yield {
          line,
          fields: Object.fromEntries(names.map((name, at) => [name, cells[at]]).reverse()),
        };
      }
    }
  }
  return { names, rows: rows() };
}
