import { InvalidArgumentError } from "commander";
import { isDay } from "#newsletter/text-files.ts";
import { exportMessages } from "#operator/export.ts";
import { type CommandContext, commandGroup, type Run, siteCommand } from "./command.ts";
import { type ExportOptions, exportRecords, withExportOptions } from "./files.ts";

export function messagesCommands(run: Run) {
  return commandGroup("messages", "What visitors wrote through the contact form", [
    withExportOptions(siteCommand("export", "Export the messages as CSV, or with --json as JSON"))
      .option(
        "--since <date>",
        "only those received on that day (Toronto) or later",
        (text: string) => {
          if (isDay(text)) return text;
          throw new InvalidArgumentError("Give a calendar date as YYYY-MM-DD.");
        },
      )
      .action(
        run((context: CommandContext, options: ExportOptions & { since?: string }) =>
          exportRecords(context, (db) => exportMessages(db, options), options),
        ),
      ),
  ]);
}
