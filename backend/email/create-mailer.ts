import nodemailer, { type SendMailOptions } from "nodemailer";
import { literalWords } from "./literal-words.ts";
import { mailFolder } from "./mail-files.ts";
import type { MailMessage } from "./mail-message.ts";
import { readMailError } from "./refused-mail.ts";
import { writeMailFile } from "./write-mail-file.ts";

const connectionTimeoutMs = 10_000;
const greetingTimeoutMs = 10_000;
const dnsTimeoutMs = 10_000;
const socketTimeoutMs = 30_000;
const maxConnections = 2;
const maxMessagesPerConnection = 50;

export type MailerOptions = {
  /** `smtp://` or `smtps://`, with user and password in it; null writes files instead. */
  smtpUrl: string | null;
  /** Files go into the folder `mail` in here. */
  dataDir: string;
  /** `Name <address>` or an address. */
  from: string;
  /** The host of Message-IDs is this address's host. */
  siteUrl: string;
};

export type Mailer = {
  /**
   * Resolves when the mail server has taken the message for at least one recipient, with a note when it refused
   * others; or when the file is on disk. Rejects with the server's words otherwise.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<string | undefined>;
  /** Connects and logs in without sending; rejects with the reason. Nothing to do where mail goes to files. */
  verify(): Promise<void>;
  close(): void;
};

/** What takes e-mail out of the house: SMTP, or one `.eml` file a message where no server is configured. */
export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === null
    ? createFileMailer(options)
    : createSmtpMailer({ ...options, smtpUrl: options.smtpUrl });
}

function createSmtpMailer({ smtpUrl, from, siteUrl }: MailerOptions & { smtpUrl: string }): Mailer {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections,
    maxMessages: maxMessagesPerConnection,
    // The outbox decides when to try again.
    maxRequeues: 0,
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: greetingTimeoutMs,
    dnsTimeout: dnsTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message, signal) {
      const info = await transport
        .sendMail({ ...mailOptions(message, from, siteUrl), signal })
        .catch((error: unknown) => {
          throw readMailError(error);
        });
      if (info.rejected.length === 0) return undefined;
      const all = info.rejected.length + info.accepted.length;
      return `The mail server refused ${info.rejected.length} of ${all} recipients`;
    },
    async verify() {
      await transport.verify();
    },
    close() {
      transport.close({ force: true });
    },
  };
}

function createFileMailer({ dataDir, from, siteUrl }: MailerOptions): Mailer {
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      const { message: bytes } = await transport.sendMail(mailOptions(message, from, siteUrl));
      if (!Buffer.isBuffer(bytes)) throw new TypeError("The message was not built in memory");
      const fileName = `${message.date.replace(/[:.]/g, "-")}-${message.deliveryId}.eml`;
      await writeMailFile({ folder: mailFolder(dataDir), fileName, bytes });
      return undefined;
    },
    async verify() {},
    close() {},
  };
}

function mailOptions(message: MailMessage, from: string, siteUrl: string): SendMailOptions {
  const { deliveryId, date, html, headers = {}, ...rest } = message;
  const literal = literalWords(message);
  return {
    ...rest,
    ...literal,
    from,
    date: new Date(date),
    messageId: `<${deliveryId}@${new URL(siteUrl).hostname}>`,
    html: html.toString(),
    headers: [
      ...Object.entries(headers).map(([key, value]) => ({ key, value })),
      ...literal.headers,
    ],
  };
}
