import { domainToASCII } from "node:url";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import type { Html } from "./mail-document.ts";

type Mailbox = { name: string; address: string };

export type MailMessage = {
  /** The Message-ID derives from it, so a receiver can recognise a repeat. */
  deliveryId: string;
  /** ISO 8601. */
  date: string;
  /** The operator's addresses, separated by commas, or a visitor's mailbox. */
  to: string | Mailbox;
  replyTo?: Mailbox;
  subject: string;
  text: string;
  html: Html;
  headers?: Record<string, string>;
  /** Where bounces go instead of the From (RFC 5321, section 4.1.1.2). */
  returnPath?: string;
};

/** Nodemailer's share of the 75 characters of an encoded word (RFC 2047, section 2). */
const wordMaxLength = 52;

/** Nodemailer would quote a name of ASCII, so the header is passed under this name and renamed. */
const ownReplyTo = "X-Own-Reply-To";

/**
 * Shows Subject and Reply-To as they were typed. Nodemailer passes typed encoded words (`=?utf-8?Q?Boss?=`) through,
 * and mail programs decode them, so they are encoded once more.
 */
export function literalWords({ subject, replyTo }: Pick<MailMessage, "subject" | "replyTo">) {
  const literalSubject = readsAsEncoded(subject) ? encoded(subject) : subject;
  if (!replyTo || !readsAsEncoded(replyTo.name)) {
    return { subject: literalSubject, replyTo, headers: [] };
  }
  const [local = "", domain = ""] = replyTo.address.split("@");
  const value = `${encoded(replyTo.name)} <${local}@${domainToASCII(domain) || domain}>`;
  return {
    subject: literalSubject,
    replyTo: undefined,
    headers: [{ key: ownReplyTo, value }],
    normalizeHeaderKey: (key: string) => (key === ownReplyTo ? "Reply-To" : key),
  };
}

function readsAsEncoded(words: string): boolean {
  return words.includes("=?");
}

function encoded(words: string): string {
  return encodeWord(words, "B", wordMaxLength);
}
