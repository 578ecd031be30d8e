import { deleteMailFiles, findMailFiles } from "#mail/mail-files.ts";
import {
  eraseMailbox,
  findMailboxRows,
  forgetDeletedPages,
  mailboxTest,
} from "#newsletter/privacy.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { Config } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { amount, confirmOrEnd } from "../terminal.ts";
import { readAddress } from "./subscriber-record.ts";

export function eraseSubscriberCommand(run: Run) {
  return siteCommand(
    "erase",
    "Delete everything that is stored about a person",
    "In every spelling of the mailbox: subscription with its proof of consent, messages, mails and webhook calls, mail " +
      "files. A hash stays, so that no import or restored backup brings the person back. Lists what it can't reach.",
  )
    .argument("<email>", "the address")
    .option("-y, --yes", "don't ask")
    .action(
      run((context, address: string, options: { yes?: boolean }) =>
        context.withStore((store) => erase(context, store, readAddress(address), options)),
      ),
    );
}

async function erase(
  context: CommandContext,
  { db }: OpenStore,
  email: string,
  options: { yes?: boolean },
): Promise<CommandResult> {
  const config = context.readOwnSettings();
  const { dataDir, newsletterWebhookUrl } = config;
  const isTheirs = mailboxTest(email);
  const rows = await findMailboxRows(db, email);
  const deliveryIds = rows.deliveries.map((row) => row.delivery_id);
  const files = await findMailFiles(dataDir, { isTheirs, deliveryIds });
  const found = [
    amount(rows.subscriptions.length, "subscription"),
    amount(rows.messages.length, "message"),
    amount(deliveryIds.length, "mail or webhook call", "mails and webhook calls"),
    amount(files.length, "mail file"),
  ].filter((words) => !words.startsWith("0 "));
  if (found.length === 0) {
    const json = { erased: email, subscriptions: 0, messages: 0, deliveries: 0, mailFiles: [] };
    return { json: { ...json, webhookTold: false }, text: `Nothing is stored about ${email}.` };
  }
  await confirmOrEnd(context, options, `Erase ${found.join(", ")} of ${email} for good?`);

  const erased = await eraseMailbox({ db, newsletterWebhookUrl, now: context.now() }, { email });
  // A running server may have written more since the question.
  const mailFiles = await findMailFiles(dataDir, {
    isTheirs,
    deliveryIds: [...deliveryIds, ...erased.deliveryIds],
  });
  await deleteMailFiles(dataDir, mailFiles);
  await forgetDeletedPages(db);
  const { subscriptions, messages, deliveries, webhookTold } = erased;
  const elsewhere = outOfReach(config);
  return {
    json: {
      ...{ erased: email, subscriptions, messages, deliveries, mailFiles, webhookTold },
      mayAlsoBeIn: elsewhere,
    },
    text: [
      `Erased ${found.join(", ")} of ${email}.`,
      ...mailFiles.map((name) => `  mail/${name}`),
      ...(webhookTold ? ["The webhook is being told that the subscription has ended."] : []),
      "A hash of the mailbox stays, so that no import or restored backup brings it back.",
      "",
      "Out of reach from here:",
      ...elsewhere.map((line) => `  - ${line}`),
    ].join("\n"),
  };
}

/** Places with data about a person that these commands don't reach. */
export function outOfReach(config: Config): string[] {
  const { contactTo, smtpUrl, newsletterWebhookUrl, databaseUrl } = config;
  const places = [
    smtpUrl
      ? `The mailbox of ${contactTo}, and the mail servers on the way: contact messages are mailed there.`
      : "Wherever mail files from the data folder were copied to or opened.",
  ];
  if (newsletterWebhookUrl) {
    const { host } = new URL(newsletterWebhookUrl);
    places.push(
      `The workflow at ${host}, and the mailing tool behind it: it was told of the subscription.`,
    );
  }
  places.push(
    "Files that were exported, and backups: those made until now hold it until you replace them.",
  );
  if (databaseUrl) {
    places.push(
      "PostgreSQL's files: deleted rows stay in them until autovacuum, and in archived WAL for as long as you keep it.",
    );
  }
  return places;
}
