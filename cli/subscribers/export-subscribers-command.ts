import { findMailFiles } from "#mail/mail-files.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import { exportMailbox, mailboxTest } from "#newsletter/privacy.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { csvNotes, type ExportOptions, exportRecords, withExportOptions } from "../records.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { writeNewFile } from "../text-files.ts";
import { outOfReach } from "./erase-subscriber-command.ts";
import {
  allSubscribers,
  readAddress,
  subscriberColumns,
  subscriberRecord,
} from "./subscriber-record.ts";

type SubscriberExportOptions = ExportOptions & { confirmed?: boolean; links?: boolean };

export function exportSubscribersCommand(run: Run) {
  const command = siteCommand("export", {
    summary: "Export the subscribers, or everything that is stored about one person",
    details: `Each row has the state, the times (ISO 8601, UTC), and what proves the consent: the
wording shown, the page it stood on, and the network address. Write only to confirmed ones.

With EMAIL, for a person who asks what is stored: subscription, contact messages, and the mails
and webhook calls about them, in every spelling of the mailbox, as JSON.

${csvNotes}\n--json means --format json.`,
    examples: [
      ["subscribers export --confirmed --output send-to.csv", "Write a file for a mailing tool"],
      [
        "subscribers export --confirmed --links --output send-to.csv",
        "The same with each subscriber's own link, for its merge tag. Keep the file to yourself",
      ],
      ["subscribers export --output consent.json", "Keep the whole record"],
      ["subscribers export pat@example.com --output pat.json", "Answer a request for access"],
    ],
  });
  return withExportOptions(command, ["csv", "json", "ndjson"])
    .argument("[email]", "the address of the one person")
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .option("--links", "with each subscriber's own link to leave, for another mailing tool")
    .action(
      run((context, email: string | undefined, options: SubscriberExportOptions) => {
        if (email !== undefined) return exportOne(context, email, options);
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
          ? [...subscriberColumns, "unsubscribe_url"]
          : subscriberColumns;
        return exportRecords(context, { columns, read }, options);
      }),
    );
}

async function exportOne(
  context: CommandContext,
  address: string,
  { format, output, force, confirmed }: SubscriberExportOptions,
): Promise<CommandResult> {
  const email = readAddress(address);
  if (confirmed || (format !== undefined && format !== "json")) {
    throw new CommandError("With an address, everything is exported, as JSON: leave the options.");
  }
  const { config } = context.readSettings();
  const exported = await context.withStore(async ({ db }) => {
    const rows = await exportMailbox(db, { email, now: context.now() });
    const deliveryIds = rows.deliveries.map(({ delivery_id }) => String(delivery_id));
    const isTheirs = mailboxTest(email);
    const mailFiles = await findMailFiles(config.dataDir, { isTheirs, deliveryIds });
    return { ...rows, mail_files: mailFiles, may_also_be_in: outOfReach(config) };
  });
  const text = `${JSON.stringify(exported, null, 2)}\n`;
  if (output === undefined) return { stream: [text] };
  await writeNewFile(context.resolvePath(output), [text], { force });
  const { subscriptions, messages, deliveries } = exported;
  const counts = {
    subscriptions: subscriptions.length,
    messages: messages.length,
    deliveries: deliveries.length,
  };
  return {
    json: { output, format: "json", ...counts },
    text: `Wrote what is stored about ${email} to ${output}. Only your user can read it.`,
  };
}
