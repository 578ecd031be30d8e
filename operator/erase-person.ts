import type { Db } from "#db/tables.ts";
import { deleteMailFiles, findMailFiles } from "#mail/mail-files.ts";
import { removeSubscriber } from "#newsletter/leave.ts";
import { eraseMailbox, findMailboxRows, forgetDeletedPages } from "#newsletter/privacy.ts";
import type { Config } from "#settings/settings.ts";

type PersonDeps = { db: Db; config: Config; now: Date };

export async function countStoredAbout({ db, config }: Omit<PersonDeps, "now">, email: string) {
  const rows = await findMailboxRows(db, email);
  const deliveryIds = rows.deliveries.map((row) => row.delivery_id);
  return {
    subscriptions: rows.subscriptions.length,
    messages: rows.messages.length,
    deliveries: deliveryIds.length,
    lists: rows.lists.length,
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

/** Deletes a subscriber with the proof of consent and the mails about the subscription. Messages stay. */
export async function removePerson(
  { db, config, now }: PersonDeps,
  email: string,
): Promise<{ ok: true; email: string } | { ok: false; reason: "unknown_subscriber" }> {
  const { dataDir, newsletterWebhookUrl } = config;
  const removed = await removeSubscriber({ db, newsletterWebhookUrl, now }, { email });
  if (!removed.ok) return removed;
  const { deliveryIds } = removed;
  await deleteMailFiles(dataDir, await findMailFiles(dataDir, { deliveryIds }));
  await forgetDeletedPages(db);
  return { ok: true, email: removed.email };
}

/** Places with data about a person that no command reaches, as sentences. */
export function placesOutOfReach(config: Config): string[] {
  const { contactTo, smtpUrl, newsletterWebhookUrl, databaseUrl } = config;
  const host = newsletterWebhookUrl && new URL(newsletterWebhookUrl).host;
  return [
    smtpUrl
      ? `The mailbox of ${contactTo}, and the mail servers on the way: contact messages are mailed there.`
      : "Wherever mail files from the data folder were copied to or opened.",
    host &&
      `The workflow at ${host}, and the mailing tool behind it: it was told of the subscription.`,
    "Files that were exported, and backups: those made until now hold it until you replace them.",
    databaseUrl &&
      "PostgreSQL's files: deleted rows stay in them until autovacuum, and in archived WAL for as long as you keep it.",
  ].filter((place) => place !== null);
}
