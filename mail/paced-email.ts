import { longTorontoTime } from "#content/toronto-time.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { MailMessage } from "./mail-message.ts";
import { operatorNotice } from "./operator-notice.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";

type PacedEmailOptions = {
  deliveryId: string;
  createdAt: string;
  payload: OutboxPayloads["paced-email"];
  contactTo: string;
  site: SiteIdentity;
};

const words: Record<string, { many: string; mail: string; listed: string }> = {
  messages: {
    many: "messages",
    mail: "the mails that bring them to you",
    listed: "npm run site -- messages list",
  },
  confirmations: {
    many: "sign-ups",
    mail: "the mails that ask for a confirmation",
    listed: "npm run site -- subscribers list",
  },
};

/** Tells the firm that a form is sent more often than its mail goes out, so that the mail waits. */
export function pacedEmail({
  deliveryId,
  createdAt,
  payload,
  contactTo,
  site,
}: PacedEmailOptions): MailMessage {
  const { many, mail, listed } = words[payload.pace] ?? {
    many: payload.pace,
    mail: "their mails",
    listed: "npm run site -- outbox list --waiting",
  };
  return operatorNotice({
    deliveryId,
    date: createdAt,
    to: contactTo,
    site,
    subject: `Many ${many} at ${new URL(site.url).host}: their mail is being spaced out`,
    paragraphs: [
      `Since ${longTorontoTime(payload.since)}, more ${many} have come in through the form at ${site.url} than people usually send. All of them are taken and kept. To keep your mail account and its good name, ${mail} now go out at no more than ${Math.round(payload.mailsPerHour)} an hour, those of senders who wrote once before those of senders who wrote often.`,
      "You don't have to do anything for it to end. To see all of them now, and what waits:",
    ],
    commands: [{ command: listed }, { command: "npm run site -- outbox list --waiting" }],
    ending: "You get this mail once, and again only if it goes on a day from now.",
  });
}
