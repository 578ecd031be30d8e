import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import type { OpenStore } from "#server/open-store.ts";
import {
  csvNotes,
  type ExportOptions,
  exportRecords,
  withExportOptions,
} from "../files/export-records.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { allSubscribers } from "./all-subscribers.ts";
import { exportOneMailbox } from "./export-mailbox.ts";
import { subscriberColumns, subscriberRecord } from "./subscriber-record.ts";

type SubscriberExportOptions = ExportOptions & { confirmed?: boolean; links?: boolean };

export function exportSubscribersCommand(run: Run) {
  const command = siteCommand("export", {
    summary: "Export the subscribers, or everything that is held about one person",
    details: `Each row has the state, the times (ISO 8601, UTC), and what proves the consent: the
wording shown, the page it stood on, and the network address. Write only to confirmed ones.

With EMAIL, for a person who asks what is held: subscription, contact messages, and the mails
and webhook calls about them, in every spelling of the mailbox, as JSON.

${csvNotes}\n--json means --format json.`,
    examples: [
      ["subscribers export --confirmed --output send-to.csv", "Write a file for a mailing tool"],
      [
        "subscribers export --confirmed --links --output send-to.csv",
        "The same with each reader's own link, for its merge tag. Keep the file to yourself",
      ],
      ["subscribers export --output consent.json", "Keep the whole record"],
      ["subscribers export pat@example.com --output pat.json", "Answer a request for access"],
    ],
  });
  return withExportOptions(command, ["csv", "json", "ndjson"])
    .argument("[email]", "the address of the one person")
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .option("--links", "with each reader's own link to leave, for another mailing tool")
    .action(
      run((context, email: string | undefined, options: SubscriberExportOptions) => {
        if (email !== undefined) return exportOneMailbox(context, email, options);
        const url = context.siteUrl();
        async function* read(store: OpenStore) {
          for await (const subscriber of allSubscribers(store, options)) {
            const link = unsubscribeLink({ url }, subscriber.token);
            yield {
              ...subscriberRecord(subscriber),
              ...(options.links ? { unsubscribe_url: link } : {}),
            };
          }
        }
        const columns = options.links
          ? [...subscriberColumns, "unsubscribe_url" as const]
          : subscriberColumns;
        return exportRecords(context, { columns, read }, options);
      }),
    );
}
