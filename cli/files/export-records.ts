import { type Command, Option } from "commander";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { formatCsvRow, guardFormula } from "./csv.ts";
import type { RecordFormat } from "./read-records.ts";
import { writeNewFile } from "./write-new-file.ts";

export type ExportOptions = { format?: RecordFormat; output?: string; force?: boolean };

type ExportedRecord = Record<string, string | number | null>;

/** What help says of a CSV export. */
export const csvNotes = `CSV is as RFC 4180 lays it out, in UTF-8. A cell that a spreadsheet would run as a
formula (it begins with = + - @ or a tab) gets an apostrophe in front, so "+1 416 …"
reads "'+1 416 …". JSON and NDJSON hold every value as it is.`;

/** Gives an export its options. */
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

/** The store stays open for as long as records are read. */
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
