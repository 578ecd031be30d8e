import { amount } from "#content/amounts.ts";
import type { Db } from "#db/tables.ts";
import { deleteMailFiles, findMailFiles } from "#mail/mail-files.ts";
import type { Config } from "#settings/settings.ts";
import {
  type ConsentProof,
  eraseMailbox,
  exportMailbox,
  findMailboxRows,
  forgetDeletedPages,
} from "./privacy.ts";

// A person's rights by law: everything that is stored about them, the proof of their consent, and an end of both.

type PersonDeps = { db: Db; config: Config; now: Date };

export async function countStoredAbout({ db, config }: Omit<PersonDeps, "now">, email: string) {
  const rows = await findMailboxRows(db, email);
  const deliveryIds = rows.deliveries.map((row) => row.delivery_id);
  return {
    subscriptions: rows.subscriptions.length,
    messages: rows.messages.length,
    deliveries: deliveryIds.length,
    mailFiles: (await findMailFiles(config.dataDir, { email, deliveryIds })).length,
  };
}

/** Deletes everything about a person: the rows in one transaction, then the mail files. A repeat finds nothing. */
export async function erasePerson({ db, config, now }: PersonDeps, email: string) {
  const { dataDir, newsletterWebhookUrl } = config;
  const { deliveryIds, ...erased } = await eraseMailbox(
    { db, newsletterWebhookUrl, now },
    { email },
  );
  const mailFiles = await findMailFiles(dataDir, { email, deliveryIds });
  await deleteMailFiles(dataDir, mailFiles);
  await forgetDeletedPages(db);
  return { ok: true as const, ...erased, mailFiles };
}

/** Places with data about a person that no command reaches, as sentences. */
export function placesOutOfReach(config: Config): string[] {
  const { contactTo, smtpUrl, newsletterWebhookUrl, databaseUrl, scheduling } = config;
  const host = newsletterWebhookUrl && new URL(newsletterWebhookUrl).host;
  return [
    smtpUrl
      ? `The mailbox of ${contactTo}, and the mail servers on the way: contact messages are mailed there.`
      : "Wherever mail files from the data folder were copied to or opened.",
    scheduling && "The scheduling provider: calls are booked there.",
    host &&
      `The workflow at ${host}, and the mailing tool behind it: it was told of the subscription.`,
    "Files that were exported, and backups: those made until now hold it until you replace them.",
    databaseUrl &&
      "PostgreSQL's files: deleted rows stay in them until autovacuum, and in archived WAL for as long as you keep it.",
  ].filter((place) => place !== null);
}

/** The counts of what an erasure has deleted, without zeros. */
export function describeErased(
  erased: Record<"subscriptions" | "messages" | "deliveries" | "mailFiles", number> & {
    webhookTold: boolean;
  },
): string[] {
  const { subscriptions, messages, deliveries, mailFiles, webhookTold } = erased;
  return [
    subscriptions > 0 && "The subscription, with the proof of consent",
    messages > 0 && amount(messages, "message"),
    deliveries > 0 && amount(deliveries, "mail or call about them", "mails and calls about them"),
    mailFiles > 0 && amount(mailFiles, "mail file"),
    webhookTold && "The workflow that knew of the subscription is told of its end.",
  ].filter((line) => line !== false);
}

/** Everything that is stored about a person, and where else there may be something. */
export async function exportPerson(
  { db, config, now }: { db: Db; config: Config; now: Date },
  email: string,
) {
  const rows = await exportMailbox(db, { email, now });
  const deliveryIds = rows.deliveries.map(({ delivery_id }) => delivery_id);
  const mailFiles = await findMailFiles(config.dataDir, { email, deliveryIds });
  return { ...rows, mail_files: mailFiles, may_also_be_in: placesOutOfReach(config) };
}

type Entry = ConsentProof["entries"][number];

export const consentEventWords: Record<Entry["event"], string> = {
  signed_up: "Signed up on the site",
  held: "Signed up on the site; quarantined as suspected spam, so no mail went out",
  imported: "Imported from another list",
  added: "Added by the operator, with the proof of a consent that was given elsewhere",
  released: "Released by the operator",
  confirmed: "Confirmed by the link that was mailed to the address",
  bounced: "Ended by the mail server: the address takes no mail",
  complained: "Ended by a complaint: the mail service reported that its user calls it spam",
  left: "Unsubscribed",
};

export const leavingWords: Record<NonNullable<Entry["way"]>, string> = {
  link: "on the page behind the link in a mail",
  one_click: "by the mail program's own button (RFC 8058)",
  operator: "asked of the operator",
  import: "by another program's list, which said so when it was imported",
  expired: "by the end of the consent that a purchase or question had implied (CASL, s. 10(10))",
};
