import { mkdir } from "node:fs/promises";
import path from "node:path";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { writeWholeFile } from "#db/write-whole-file.ts";
import { mailFolder } from "./mail-files.ts";
import { literalWords, type MailMessage } from "./mail-message.ts";
import { RefusedDeliveryError } from "./outbox-jobs.ts";

const connectTimeoutMs = 10_000;
const deskSocketTimeoutMs = 30_000;
const deskMessagesPerConnection = 50;

/**
 * RFC 5321, section 4.5.3.2.6, asks for ten minutes: a client that gives up sooner sends an accepted mail again. Other
 * mail is retried under the same Message-ID anyway.
 */
export const newsletterAnswerTimeoutMs = 10 * 60_000;

/** Nodemailer's list (RFC 6376), and the header that RFC 8058, section 4, wants signed. */
const signedHeaders =
  "From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:" +
  "In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID:Auto-Submitted";

type MailerOptions = {
  /** `smtp://` or `smtps://`; null writes files instead. */
  smtpUrl: string | null;
  dataDir: string;
  from: string;
  /** Its host is that of the Message-IDs. */
  siteUrl: string;
  dkim?: DkimKey | null;
  /** Set for the newsletter's mailer: the number of connections it holds open. */
  newsletterConnections?: number;
  deskConnections?: number;
};

/** RFC 6376: DNS has the public key at `<selector>._domainkey.<domain>`. */
export type DkimKey = { domain: string; selector: string; privateKey: string };

export type Mailer = {
  /**
   * Resolves when the server has accepted the message for at least one recipient, with a note if it refused others.
   * Rejects with the server's words otherwise.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<string | undefined>;
  /** Connects and logs in without sending. */
  verify(): Promise<void>;
  close(): void;
};

/** Sends by SMTP, or writes each mail to an `.eml` file where no server is configured. */
export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === null
    ? createFileMailer(options)
    : createSmtpMailer({ ...options, smtpUrl: options.smtpUrl });
}

function createSmtpMailer({
  smtpUrl,
  from,
  siteUrl,
  dkim,
  newsletterConnections,
  deskConnections = 2,
}: MailerOptions & { smtpUrl: string }): Mailer {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    ...(newsletterConnections
      ? {
          maxConnections: newsletterConnections,
          maxMessages: Number.POSITIVE_INFINITY,
          // Reopens a connection that the server closed between two mails.
          maxRequeues: 3,
        }
      : {
          maxConnections: deskConnections,
          maxMessages: deskMessagesPerConnection,
          // The outbox decides when to try again.
          maxRequeues: 0,
        }),
    dkim: signing(dkim),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: newsletterConnections ? newsletterAnswerTimeoutMs : deskSocketTimeoutMs,
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

function signing(dkim: DkimKey | null = null) {
  if (!dkim) return undefined;
  const { domain: domainName, selector: keySelector, privateKey } = dkim;
  return { domainName, keySelector, privateKey, headerFieldNames: signedHeaders };
}

function createFileMailer({ dataDir, from, siteUrl, dkim }: MailerOptions): Mailer {
  return {
    async send(message) {
      const bytes = await composeMail(mailOptions(message, from, siteUrl), dkim);
      const fileName = `${message.date.replace(/[:.]/g, "-")}-${message.deliveryId}.eml`;
      if (!/^[\w.-]+$/.test(fileName)) throw new Error("A mail file's name may hold no separators");
      const folder = mailFolder(dataDir);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWholeFile(path.join(folder, fileName), bytes);
      return undefined;
    },
    async verify() {},
    close() {},
  };
}

async function composeMail(mail: SendMailOptions, dkim?: DkimKey | null): Promise<Buffer> {
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    dkim: signing(dkim),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { message } = await transport.sendMail(mail);
  if (!Buffer.isBuffer(message)) throw new TypeError("The message was not built in memory");
  return message;
}

function mailOptions(message: MailMessage, from: string, siteUrl: string): SendMailOptions {
  const { deliveryId, date, html, headers = {}, returnPath, ...rest } = message;
  const literal = literalWords(message);
  return {
    ...rest,
    ...literal,
    from,
    ...(returnPath ? { envelope: { from: returnPath, to: message.to } } : {}),
    date: new Date(date),
    messageId: `<${deliveryId}@${new URL(siteUrl).hostname}>`,
    html: html.toString(),
    headers: [
      ...Object.entries(headers).map(([key, value]) => ({ key, value })),
      ...literal.headers,
    ],
  };
}

export type MailError = Error & {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
  rejectedErrors?: MailError[];
};

/**
 * Wraps a refusal of this message in a `RefusedDeliveryError`. A failed connection or login isn't about the message,
 * whatever its code.
 */
function readMailError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const mailError = error as MailError;
  const answers = mailError.rejectedErrors?.length ? mailError.rejectedErrors : [mailError];
  if (!answers.every(isRefusal)) return error;
  const { code, command, responseCode, response } = mailError;
  const refusal = new RefusedDeliveryError(`The mail server refuses it: ${error.message}`);
  return Object.assign(refusal, { code, command, responseCode, response });
}

const beforeTheMessage = new Set(["EAUTH", "ECONNECTION", "ETLS", "EDNS", "ESOCKET", "ETIMEDOUT"]);
const beforeTheMessageCommand = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH)/;

function isRefusal({ code, command = "", responseCode = 0, response = "" }: MailError): boolean {
  if (responseCode < 500 || responseCode > 599) return false;
  if (beforeTheMessage.has(code ?? "") || beforeTheMessageCommand.test(command)) return false;
  // The enhanced status code (RFC 3463) is more exact.
  return !/^5\d\d[ -]4\.\d+\.\d+/.test(response);
}
