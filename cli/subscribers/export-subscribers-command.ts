import { findMailFiles } from "#mail/mail-files.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { exportMailbox, mailboxTest } from "#newsletter/privacy.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { type ExportOptions, exportRecords, inPages, withExportOptions } from "../records.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { writeNewFile } from "../text-files.ts";
import { outOfReach } from "./erase-subscriber-command.ts";
import { readAddress, subscriberColumns, subscriberRecord } from "./subscriber-record.ts";

type SubscriberExportOptions = ExportOptions & { confirmed?: boolean; links?: boolean };

export function exportSubscribersCommand(run: Run) {
  const command = siteCommand(
    "export",
    "Export the subscribers with their consent, or everything that is stored about one person",
    "Write only to confirmed ones. With EMAIL, for a person who asks what is stored: all of it, as JSON.",
  );
  return withExportOptions(command)
    .argument("[email]", "the address of the one person")
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .option("--links", "with each subscriber's own link to leave, for another mailing tool")
    .action(
      run((context, email: string | undefined, options: SubscriberExportOptions) =>
        email === undefined ? exportAll(context, options) : exportOne(context, email, options),
      ),
    );
}

function exportAll(
  context: CommandContext,
  options: SubscriberExportOptions,
): Promise<CommandResult> {
  const url = context.siteUrl();
  const state = options.confirmed ? "confirmed" : undefined;
  async function* read({ db }: OpenStore) {
    const page = ({ limit, after }: { limit: number; after?: number }) =>
      listSubscribers(db, { state, afterId: after, limit });
    for await (const subscriber of inPages(page)) {
      const unsubscribe_url = unsubscribeLink({ url }, subscriber.token);
      yield { ...subscriberRecord(subscriber), ...(options.links ? { unsubscribe_url } : {}) };
    }
  }
  const columns = [...subscriberColumns, ...(options.links ? ["unsubscribe_url"] : [])];
  return exportRecords(context, { columns, read }, options);
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
  const config = context.readOwnSettings();
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
  return {
    json: {
      ...{ output, format: "json", subscriptions: exported.subscriptions.length },
      ...{ messages: exported.messages.length, deliveries: exported.deliveries.length },
    },
    text: `Wrote what is stored about ${email} to ${output}. Only your user can read it.`,
  };
}
