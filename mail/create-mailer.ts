import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import type { SendMailOptions } from "nodemailer";
import PQueue from "p-queue";
import { describeCauses } from "#db/describe-causes.ts";
import { writeWholeFile } from "#db/write-whole-file.ts";
import type { Config } from "#settings/settings.ts";
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
  "In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Auto-Submitted";

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
  pool?: MailTransport;
  goesFirst?: boolean;
};

/** RFC 6376: the public key is at `<selector>._domainkey.<domain>`. */
type DkimKey = { domain: string; selector: string; privateKey: string };

export type Mailer = {
  /** Resolves once a recipient is accepted. Rejects with the server's words. */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
  verify(): Promise<void>;
  close(): void;
};

export type Mailers = ReturnType<typeof createMailers>;

/** Letters and issues share one account's connections. Throws if the DKIM key can't be read. */
export function createMailers(config: Config, siteUrl: string) {
  const { smtpUrl, dataDir, mailFrom, mailFromNewsletter } = config;
  // After a 421 there are fewer.
  const shared = { smtpUrl, siteUrl, dataDir, connections: 3, dkim: readDkimKey(config) };
  const pool = openTransport(shared);
  const name = config.siteName.replace(/["\\]/g, "");
  const mailerFrom = (address: string, goesFirst: boolean) =>
    createMailer({ ...shared, pool, goesFirst, from: `"${name}" <${address}>` });
  return {
    desk: mailerFrom(mailFrom, true),
    newsletter: mailerFrom(mailFromNewsletter, false),
    close: pool.close,
  };
}

/** Throws, naming the file, if it has no private key. */
export function readDkimKey({ dkim }: Pick<Config, "dkim">): DkimKey | null {
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
  const { pool = openTransport(options), goesFirst } = options;
  return {
    async send(message, signal) {
      const mail = mailOptions(message, options);
      await pool.send(mail, { message, priority: goesFirst ? 1 : 0, signal });
    },
    verify: pool.verify,
    close: pool.close,
  };
}

type Sending = { message: MailMessage; priority: number; signal?: AbortSignal };

type MailTransport = {
  send(mail: SendMailOptions, sending: Sending): Promise<void>;
  verify(): Promise<void>;
  close(): void;
};

type TransportOptions = Omit<MailerOptions, "from" | "pool" | "goesFirst">;

export function openTransport(options: TransportOptions): MailTransport {
  const { smtpUrl } = options;
  return smtpUrl === null ? openMailFolder(options) : openSmtpPool({ ...options, smtpUrl });
}

/** The wait after a 421 before one connection more is tried. */
const fewerConnectionsMs = 10 * 60_000;

/** Some hosts answer 421 to more than a few connections: the pool then holds one fewer and returns idle ones. */
function openSmtpPool(options: TransportOptions & { smtpUrl: string }): MailTransport {
  const { smtpUrl, siteUrl, connections = 2 } = options;
  const { hostname } = new URL(siteUrl);
  const queue = new PQueue({ concurrency: connections });
  const openPool = async () => {
    // It takes 15 MB.
    const { default: nodemailer } = await import("nodemailer");
    return nodemailer.createTransport({
      url: smtpUrl,
      // Google's relay puts off for ever who greets as an address or by a name without a dot.
      ...(isIP(hostname) === 0 && hostname.includes(".") && { name: hostname }),
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
  let opening: ReturnType<typeof openPool> | undefined;
  let moreAt = 0;
  function open() {
    opening ??= openPool();
    return opening;
  }

  return {
    async send(mail, { priority, signal }) {
      if (queue.concurrency < connections && performance.now() > moreAt) {
        queue.concurrency += 1;
        moreAt = performance.now() + fewerConnectionsMs;
      }
      try {
        const transport = await open();
        const send = () => transport.sendMail({ ...mail, signal });
        await queue.add(send, { priority, signal });
      } catch (thrown) {
        const error = sayOnce(thrown as MailError);
        if (error.responseCode === 421 && queue.concurrency > 1) {
          queue.concurrency -= 1;
          moreAt = performance.now() + fewerConnectionsMs;
          error.hasFewerConnections = true;
        }
        throw asRefusal(error);
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

/** Wraps a refusal that is about this message, and not the connection, sign-in or account. */
function asRefusal(error: MailError): MailError {
  const answers = error.rejectedErrors?.length ? error.rejectedErrors : [error];
  if (!answers.every(isRefusal)) return error;
  const { code, command, responseCode, response } = error;
  const refusal = new RefusedDeliveryError(`The mail server refuses it: ${error.message}`);
  return Object.assign(refusal, { code, command, responseCode, response });
}

function isRefusal(error: MailError): boolean {
  const failure = readFailure(error);
  if (failure.kind === "away" || error.responseCode === undefined) return false;
  const { meaning } = failure;
  return meaning.about !== "later" && !(meaning.about === "us" && meaning.isLimit);
}

function openMailFolder(options: TransportOptions): MailTransport {
  return {
    async send(mail, { message: { date, deliveryId } }) {
      const { default: nodemailer } = await import("nodemailer");
      const transport = nodemailer.createTransport({
        streamTransport: true,
        buffer: true,
        newline: "windows",
        ...signedAndSafe(options),
      });
      const { message } = await transport.sendMail(mail);
      const fileName = `${date.replace(/[:.]/g, "-")}-${deliveryId}.eml`;
      if (!/^[\w.-]+$/.test(fileName)) throw new Error("A mail file's name may hold no separators");
      const folder = mailFolder(options.dataDir);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWholeFile(path.join(folder, fileName), message as Buffer);
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
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1];
  return {
    ...rest,
    from,
    subject: literal(subject),
    replyTo: replyTo && { ...replyTo, name: literal(replyTo.name) },
    ...(returnPath ? { envelope: { from: returnPath, to: message.to } } : {}),
    date: new Date(date),
    messageId: `<${deliveryId}@${domain ?? new URL(siteUrl).hostname}>`,
    html: html.toString(),
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  };
}

/** Nodemailer passes typed encoded words (`=?utf-8?Q?Boss?=`, RFC 2047) through. */
function literal(words: string): string {
  return words.replaceAll("=?", "= ?");
}
