import { randomUUID } from "node:crypto";
import { raw } from "hono/html";
import { describeCauses } from "#db/describe-causes.ts";
import type { ComposedMail } from "#mail/issue-mail/compose-issue-mail.ts";
import type { Html } from "#mail/mail-document.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import { newsletterHeaders } from "#newsletter/sends/recipient-mail.ts";
import { createMailers } from "#server/operation/create-mailers.ts";
import { siteSettings } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../site-command.ts";

/** Mails one address the issue, and nobody else. */
export async function sendTestMail(
  context: CommandContext,
  given: string,
  mail: ComposedMail,
  issueId: number,
): Promise<CommandResult> {
  const address = readAddress(given);
  if (address === null)
    throw new CommandError(`${given} is no address that mail could be sent to.`);
  const { config } = context.readSettings();
  const site = siteSettings(config);
  const { desk, newsletter } = createMailers(config, site.url);
  try {
    await newsletter.send({
      deliveryId: `test-${randomUUID()}`,
      date: context.now().toISOString(),
      to: { name: "", address },
      subject: `[Test] ${mail.subject}`,
      text: mail.text,
      html: raw(mail.html) as Html,
      headers: newsletterHeaders(site, { token: "test", feedbackId: `issue-${issueId}:test` }),
    });
  } catch (error) {
    throw new CommandError(`The mail server didn't take it: ${describeCauses(error)}`, {
      exitCode: 1,
    });
  } finally {
    desk.close();
    newsletter.close();
  }
  const where =
    config.smtpUrl === null
      ? `Written to a file in ${config.dataDirectory}/mail, since SMTP_URL is not set.`
      : `Sent to ${address}. The link to leave in it is nobody's.`;
  return {
    json: { test: address, bytes: mail.bytes, notes: mail.notes },
    text: [where, ...mail.notes].join("\n"),
  };
}
