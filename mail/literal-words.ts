import { domainToASCII } from "node:url";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import type { MailMessage } from "./mail-message.ts";

/** Of the 75 characters that an encoded word may have (RFC 2047, section 2), as Nodemailer keeps to it. */
const wordMaxLength = 52;

/** Nodemailer puts a name of ASCII between quotation marks, and this header under its own name as it stands. */
const ownReplyTo = "X-Own-Reply-To";

/**
 * Subject and Reply-To so that they are read as they were typed. Nodemailer leaves words alone that are encoded words
 * already (`=?utf-8?Q?Boss?=`), and mail programs decode them, between quotation marks too: such words are encoded once
 * more.
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
