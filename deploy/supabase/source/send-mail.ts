import nodemailer from "nodemailer";
import type { MailMessage } from "#mail/mail-message.ts";
import { literalWords } from "#mail/mail-message.ts";
import type { Settings } from "./settings.ts";

/** A function may work for a few minutes after its answer, so a silent mail server is retried later. */
const connectionTimeoutMs = 10_000;
const socketTimeoutMs = 30_000;

export type SendMail = { send(message: MailMessage): Promise<void>; close(): void };

export function createSendMail({ smtpUrl, mailFrom, site }: Settings): SendMail {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 1,
    maxRequeues: 0,
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: connectionTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { hostname } = new URL(site.url);
  return {
    async send(message) {
      const { deliveryId, to, date, html, text, headers = {} } = message;
      const { headers: literalHeaders, ...literal } = literalWords(message);
      await transport.sendMail({
        ...literal,
        from: mailFrom,
        to,
        text,
        date: new Date(date),
        messageId: `<${deliveryId}@${hostname}>`,
        html: html.toString(),
        headers: [
          ...Object.entries(headers).map(([key, value]) => ({ key, value })),
          ...literalHeaders,
        ],
      });
    },
    close: () => transport.close(),
  };
}
