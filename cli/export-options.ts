import { type Command, Option } from "commander";
import type { ExportFormat } from "./files/export-records.ts";

/** Gives an export its options. */
export function withExportOptions(command: Command, formats: ExportFormat[]): Command {
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
