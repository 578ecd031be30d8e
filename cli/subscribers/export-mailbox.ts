import { findMailFiles } from "#mail/mail-files.ts";
import { exportMailbox, mailboxTest } from "#newsletter/privacy.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import type { ExportOptions } from "../files/export-records.ts";
import { writeNewFile } from "../files/write-new-file.ts";
import { outOfReach } from "./out-of-reach.ts";
import { readAddress } from "./subscriber-address.ts";

/** Everything that is kept about one mailbox, as JSON, for a request of access. */
export async function exportOneMailbox(
  context: CommandContext,
  address: string,
  { format, output, force, confirmed }: ExportOptions & { confirmed?: boolean },
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
    const mailFiles = await findMailFiles(config.dataDirectory, { isTheirs, deliveryIds });
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
    text: `Wrote what is held about ${email} to ${output}. Only your user can read it.`,
  };
}
