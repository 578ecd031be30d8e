import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { SendMailOptions } from "nodemailer";
import PQueue from "p-queue";
import { describeCauses } from "#db/describe-causes.ts";
import { writeWholeFile } from "#db/write-whole-file.ts";
import { type MailError, readFailure } from "./mail-answer.ts";
import type { Html } from "./mail-document.ts";
import { mailFolder } from "./mail-files.ts";
import { RefusedDeliveryError } from "./outbox-jobs.ts";

const connectTimeoutMs = 10_000;

/** RFC 5321, section 4.5.3.2.6: a client that gives up sooner sends an accepted mail again. */
export const newsletterAnswerTimeoutMs = 10 * 60_000;

/** Nodemailer's list (RFC 6376), and RFC 8058, section 4. */
const signedHeaders =
  "From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:" +
  "In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID:Auto-Submitted";

type Mailbox = { name: string; address: string };

export type MailMessage = {
  deliveryId: string;
  date: string;
  to: string | Mailbox;
  replyTo?: Mailbox;
  subject: string;
  text: string;
  html: Html;
  headers?: Record<string, string>;
  /** RFC 5321, section 4.1.1.2. */
  returnPath?: string;
};

type MailerOptions = {
  /** Null writes files instead. */
  smtpUrl: string | null;
  dataDir: string;
  from: string;
  siteUrl: string;
  dkim?: DkimKey | null;
  connections?: number;
  pool?: SmtpPool;
  goesFirst?: boolean;
};

/** RFC 6376: the public key is at `<selector>._domainkey.<domain>`. */
type DkimKey = { domain: string; selector: string; privateKey: string };

export type Mailer = {
  /**
   * Resolves once accepted, with a note if some recipients were refused. Rejects with the server's
   * words.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<string | undefined>;
  verify(): Promise<void>;
  close(): void;
};

type MailSettings = {
  smtpUrl: string | null;
  smtpConnections: number;
  dataDir: string;
  siteName: string;
  mailFrom: string;
  mailFromNewsletter: string;
  dkim: { domain: string; selector: string; keyFile: string } | null;
};

export type Mailers = ReturnType<typeof createMailers>;

/** Letters and issues share one account's connections. Throws if the DKIM key can't be read. */
export function createMailers(settings: MailSettings, siteUrl: string) {
  const { smtpUrl, smtpConnections: connections, dataDir, mailFrom, mailFromNewsletter } = settings;
  const dkim = readDkimKey(settings);
  const pool = smtpUrl === null ? undefined : openSmtpPool({ smtpUrl, connections, dkim });
  const name = settings.siteName.replace(/["\\]/g, "");
  const mailerFrom = (address: string, goesFirst: boolean) =>
    createMailer({
      smtpUrl,
      dataDir,
      siteUrl,
      dkim,
      connections,
      pool,
      goesFirst,
      from: `"${name}" <${address}>`,
    });
  return {
    desk: mailerFrom(mailFrom, true),
    newsletter: mailerFrom(mailFromNewsletter, false),
    close: () => pool?.close(),
  };
}

/** Throws, naming the file, if it has no private key. */
export function readDkimKey({ dkim }: Pick<MailSettings, "dkim">): DkimKey | null {
  if (dkim === null) return null;
  const { domain, selector, keyFile } = dkim;
  try {
    const privateKey = readFileSync(keyFile, "utf8");
    createPrivateKey(privateKey);
    return { domain, selector, privateKey };
  } catch (error) {
    throw new Error(
      `DKIM_KEY_FILE (${keyFile}) must be a private key in PEM: ${describeCauses(error)}`,
    );
  }
}

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, pool } = options;
  if (smtpUrl === null) return createFileMailer(options);
  return createSmtpMailer(pool ?? openSmtpPool({ ...options, smtpUrl }), options);
}

type SmtpPool = ReturnType<typeof openSmtpPool>;

/** The wait after a 421 before one connection more is tried. */
const fewerConnectionsMs = 10 * 60_000;

/**
 * Hosts that allow few connections answer 421 to more: the pool then holds one fewer and returns
 * idle ones.
 */
export function openSmtpPool(
  options: Pick<MailerOptions, "connections" | "dkim"> & { smtpUrl: string },
) {
  const { smtpUrl, connections = 2 } = options;
  const queue = new PQueue({ concurrency: connections });
  const openTransport = async () => {
    // It takes 15 MB.
    const { default: nodemailer } = await import("nodemailer");
    return nodemailer.createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
      idleTimeout: 3_000,
      maxRequeues: 3,
      socketTimeout: newsletterAnswerTimeoutMs,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      dnsTimeout: connectTimeoutMs,
      ...signedAndSafe(options),
    });
  };
  let opening: ReturnType<typeof openTransport> | undefined;
  function open() {
    opening ??= openTransport();
    return opening;
  }
  let moreAt = 0;

  return {
    async send(
      mail: SendMailOptions,
      { priority, signal }: { priority: number; signal?: AbortSignal },
    ) {
      if (queue.concurrency < connections && performance.now() > moreAt) {
        queue.concurrency += 1;
        moreAt = performance.now() + fewerConnectionsMs;
      }
      try {
        const transport = await open();
        return await queue.add(() => transport.sendMail({ ...mail, signal }), { priority, signal });
      } catch (thrown) {
        const error = sayOnce(thrown as MailError);
        if (error.responseCode !== 421 || queue.concurrency === 1) throw error;
        queue.concurrency -= 1;
        moreAt = performance.now() + fewerConnectionsMs;
        throw Object.assign(error, { hasFewerConnections: true });
      }
    },
    async verify() {
      const transport = await open();
      await transport.verify().catch((error: MailError) => Promise.reject(sayOnce(error)));
    },
    close: () => void opening?.then((transport) => transport.close({ force: true })),
  };
}

/** Nodemailer quotes the server's answer twice. */
function sayOnce(error: MailError): MailError {
  if (error.response) error.message = error.message.replace(`. response=${error.response}`, "");
  return error;
}

function createSmtpMailer(pool: SmtpPool, options: MailerOptions): Mailer {
  const priority = options.goesFirst ? 1 : 0;
  return {
    async send(message, signal) {
      const mail = mailOptions(message, options);
      const info = await pool.send(mail, { priority, signal }).catch((error: unknown) => {
        throw readMailError(error);
      });
      if (info.rejected.length === 0) return undefined;
      const all = info.rejected.length + info.accepted.length;
      return `The mail server refused ${info.rejected.length} of ${all} recipients`;
    },
    verify: pool.verify,
    close: pool.close,
  };
}

function createFileMailer(options: MailerOptions): Mailer {
  return {
    async send(message) {
      const { default: nodemailer } = await import("nodemailer");
      const transport = nodemailer.createTransport({
        streamTransport: true,
        buffer: true,
        newline: "windows",
        ...signedAndSafe(options),
      });
      const mail = await transport.sendMail(mailOptions(message, options));
      const fileName = `${message.date.replace(/[:.]/g, "-")}-${message.deliveryId}.eml`;
      if (!/^[\w.-]+$/.test(fileName)) throw new Error("A mail file's name may hold no separators");
      const folder = mailFolder(options.dataDir);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWholeFile(path.join(folder, fileName), mail.message as Buffer);
      return undefined;
    },
    async verify() {},
    close() {},
  };
}

function signedAndSafe({ dkim }: Pick<MailerOptions, "dkim">) {
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
  const { deliveryId, date, subject, replyTo, html, headers = {}, returnPath, ...rest } = message;
  return {
    ...rest,
    from,
    subject: literal(subject),
    replyTo: replyTo && { ...replyTo, name: literal(replyTo.name) },
    ...(returnPath ? { envelope: { from: returnPath, to: message.to } } : {}),
    date: new Date(date),
    messageId: `<${deliveryId}@${domainOf(from) ?? new URL(siteUrl).hostname}>`,
    html: html.toString(),
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  };
}

/** Nodemailer passes typed encoded words (`=?utf-8?Q?Boss?=`, RFC 2047) through. */
function literal(words: string): string {
  return words.replaceAll("=?", "= ?");
}

function domainOf(from: string): string | undefined {
  return /@([^\s<>@]+)>?$/.exec(from)?.[1];
}

/**
 * Wraps a refusal of this message. The connection, sign-in and account limits aren't about the
 * message.
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
  const failure = readFailure(error);
  if (failure.kind === "away" || error.responseCode === undefined) return false;
  const { meaning } = failure;
  return meaning.about !== "later" && !(meaning.about === "us" && meaning.isLimit);
}
