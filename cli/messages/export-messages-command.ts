import type { OpenStore } from "#server/open-store.ts";
import {
  csvNotes,
  type ExportOptions,
  exportRecords,
  withExportOptions,
} from "../files/export-records.ts";
import { parseDay } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { messageColumns, messageRecord } from "./message-columns.ts";
import { messagesSince } from "./messages-since.ts";

export function exportMessagesCommand(run: Run) {
  const command = siteCommand("export", {
    summary: "Export the messages as CSV, JSON or NDJSON",
    details: `${csvNotes}\nTimes are ISO 8601 in UTC. --json means --format json.`,
    examples: [
      ["messages export --output messages.csv", "Write a file for a spreadsheet"],
      ["messages export --since 2026-11-01 --format ndjson", "Print one JSON object a line"],
    ],
  });
  return withExportOptions(command, ["csv", "json", "ndjson"])
    .option("--since <date>", "only those received on that day (Toronto) or later", parseDay)
    .action(
      run((context, options: ExportOptions & { since?: string }) => {
        async function* read(store: OpenStore) {
          for await (const message of messagesSince(store, options)) yield messageRecord(message);
        }
        return exportRecords(context, { columns: messageColumns, read }, options);
      }),
    );
}
