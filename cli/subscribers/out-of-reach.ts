import type { Config } from "#server/settings.ts";

/** Where else something about a person can lie, which these commands don't see; each line begins a sentence. */
export function outOfReach(config: Config): string[] {
  const { contactTo, smtpUrl, newsletterWebhookUrl, databaseUrl } = config;
  const webhookHost = newsletterWebhookUrl ? new URL(newsletterWebhookUrl).host : null;
  return [
    smtpUrl
      ? `The mailbox of ${contactTo}, and the mail servers on the way: contact messages are mailed there.`
      : `Wherever mail files from the data folder were copied to or opened.`,
    ...(webhookHost
      ? [
          `The workflow at ${webhookHost}, and the mailing tool behind it: it was told of the subscription.`,
        ]
      : []),
    "Files that were exported, and backups: those made until now hold it until you replace them.",
    ...(databaseUrl
      ? [
          "PostgreSQL's files: deleted rows stay in them until autovacuum, and in archived WAL for as long as you keep it.",
        ]
      : []),
  ];
}
