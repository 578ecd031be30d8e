import { formatCsvRow, guardFormula } from "../text-files.ts";

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
