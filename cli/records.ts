import { type Command, Option } from "commander";
import { amount } from "#content/amounts.ts";
import type { Export } from "#operator/export.ts";
import type { OpenStore } from "#operator/open-store.ts";
import { type RecordFormat, writeRecords } from "#operator/records.ts";
import { type CommandContext, CommandError } from "./command-context.ts";
import { writeNewFile } from "./text-files.ts";

export type ExportOptions = { format?: RecordFormat; output?: string; force?: boolean };

export function withExportOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--format <format>",
        "how to write it; by default as the file's name ends, else CSV",
      ).choices(["csv", "json", "ndjson"]),
    )
    .option("-o, --output <file>", "write to a new file instead of standard output")
    .option("--force", "let --output replace a file that is there");
}

/** Writes an export to `--output`, or to standard output, in the format asked for; `--json` means JSON. */
export async function exportRecords(
  context: CommandContext,
  read: (store: OpenStore) => Export,
  options: ExportOptions,
) {
  let count = 0;
  async function* written(format: RecordFormat) {
    const store = await context.openStore();
    async function* counted(records: Export["records"]) {
      for await (const record of records) {
        count += 1;
        yield record;
      }
    }
    try {
      const { columns, records } = read(store);
      yield* writeRecords(counted(records), columns, format);
    } finally {
      await store.close();
    }
  }
  const { output, force } = options;
  if (output === undefined) {
    if (context.json && options.format !== undefined && options.format !== "json") {
      throw new CommandError(`--json and --format ${options.format} ask for different things.`);
    }
    return { stream: written(context.json ? "json" : (options.format ?? "csv")) };
  }
  const [, ending = "csv"] = /\.(json|ndjson)$/i.exec(output.toLowerCase()) ?? [];
  const format = options.format ?? (ending as RecordFormat);
  await writeNewFile(context.resolvePath(output), written(format), { force });
  return {
    json: { output, format, exported: count },
    text: `Wrote ${amount(count, "row")} to ${output} (${format.toUpperCase()}). It holds personal information; only your user can read it.`,
  };
}
