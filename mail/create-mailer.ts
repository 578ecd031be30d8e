import { mkdir } from "node:fs/promises";
import path from "node:path";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { writeWholeFile } from "#db/write-whole-file.ts";
import { mailFolder } from "./mail-files.ts";
import { literalWords, type MailMessage } from "./mail-message.ts";
import { newsletterAnswerTimeoutMs } from "./mail-pace.ts";
import { RefusedDeliveryError } from "./outbox-jobs.ts";

const connectTimeoutMs = 10_000;

/** Nodemailer's list (RFC 6376), and the header that RFC 8058, section 4, wants signed. */
const signedHeaders =
  "From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:" +
  "In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID:Auto-Submitted";

export type MailerOptions = {
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
  const { smtpUrl } = options;
  return smtpUrl === null ? createFileMailer(options) : createSmtpMailer(smtpUrl, options);
}

function createSmtpMailer(url: string, options: MailerOptions): Mailer {
  const { newsletterConnections, deskConnections = 2 } = options;
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    ...(newsletterConnections
      ? {
          maxConnections: newsletterConnections,
          maxMessages: Number.POSITIVE_INFINITY,
          // Reopens a connection that the server closed between two mails.
          maxRequeues: 3,
          socketTimeout: newsletterAnswerTimeoutMs,
        }
      : {
          maxConnections: deskConnections,
          maxMessages: 50,
          // The outbox decides when to try again.
          maxRequeues: 0,
          socketTimeout: 30_000,
        }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    ...signedAndSafe(options),
  });
  return {
    async send(message, signal) {
      const info = await transport
        .sendMail({ ...mailOptions(message, options), signal })
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
    close: () => transport.close({ force: true }),
  };
}

function createFileMailer(options: MailerOptions): Mailer {
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    ...signedAndSafe(options),
  });
  return {
    async send(message) {
      const mail = await transport.sendMail(mailOptions(message, options));
      const fileName = `${message.date.replace(/[:.]/g, "-")}-${message.deliveryId}.eml`;
      if (!/^[\w.-]+$/.test(fileName)) throw new Error("A mail file's name may hold no separators");
      const folder = mailFolder(options.dataDir);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A buffer, as asked for above.
      await writeWholeFile(path.join(folder, fileName), mail.message as Buffer);
      return undefined;
    },
    async verify() {},
    close() {},
  };
}

function signedAndSafe({ dkim }: MailerOptions) {
  return {
    dkim: dkim
      ? {
          domainName: dkim.domain,
          keySelector: dkim.selector,
          privateKey: dkim.privateKey,
          headerFieldNames: signedHeaders,
        }
      : undefined,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function mailOptions(message: MailMessage, { from, siteUrl }: MailerOptions): SendMailOptions {
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

function isRefusal(error: MailError): boolean {
  return isPermanent(error) && !isBeforeTheMail(error);
}

/** A 5xx, unless the enhanced status code (RFC 3463) says otherwise, which is more exact. */
export function isPermanent({ responseCode = 0, response = "" }: MailError): boolean {
  return responseCode >= 500 && !/^5\d\d[ -]4\.\d+\.\d+/.test(response);
}

/** Whether it came of the connection or the sign-in. A connection that breaks reports `CONN` whenever it does. */
export function isBeforeTheMail({ code = "", command = "", responseCode = 0 }: MailError): boolean {
  return (
    /^(?:EHLO|HELO|LHLO|STARTTLS|AUTH)/.test(command) ||
    /^(?:EAUTH|ETLS|EDNS|EPROXY|ENOAUTH)$/.test(code) ||
    (command === "CONN" && responseCode !== 0)
  );
}
