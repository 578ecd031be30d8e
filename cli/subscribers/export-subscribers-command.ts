import type { OpenStore } from "#server/open-store.ts";
import { withExportOptions } from "../export-options.ts";
import { csvNotes, type ExportOptions, exportRecords } from "../files/export-records.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { allSubscribers } from "./all-subscribers.ts";
import { subscriberColumns, subscriberRecord } from "./subscriber-record.ts";

export function exportSubscribersCommand(run: Run) {
  const command = siteCommand("export", {
    summary: "Export the subscribers with their consent records",
    details: `Each row has the state, the times (ISO 8601, UTC), and what proves the consent: the
wording shown, the page it stood on, and the network address. Write only to confirmed ones.

${csvNotes}\n--json means --format json.`,
    examples: [
      ["subscribers export --confirmed --output send-to.csv", "Write a file for a mailing tool"],
      ["subscribers export --output consent.json", "Keep the whole record"],
    ],
  });
  return withExportOptions(command, ["csv", "json", "ndjson"])
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .action(
      run((context, options: ExportOptions & { confirmed?: boolean }) => {
        async function* read(store: OpenStore) {
          for await (const subscriber of allSubscribers(store, options)) {
            yield subscriberRecord(subscriber);
          }
        }
        return exportRecords(context, { columns: subscriberColumns, read }, options);
      }),
    );
}
