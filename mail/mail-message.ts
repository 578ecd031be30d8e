import { domainToASCII } from "node:url";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import type { Html } from "./mail-document.ts";

type Mailbox = { name: string; address: string };

/** One email, before it is put on the wire. */
export type MailMessage = {
  /** The delivery it belongs to; the Message-ID is made of it, so a repeat can be recognised. */
  deliveryId: string;
  /** When it was written; ISO 8601. */
  date: string;
  /** One address or several with commas between, from the operator's settings; or a visitor's mailbox. */
  to: string | Mailbox;
  replyTo?: Mailbox;
  subject: string;
  text: string;
  html: Html;
  headers?: Record<string, string>;
  /** Where the mail server sends it back to, in place of the From (RFC 5321, section 4.1.1.2). */
  returnPath?: string;
};

// Characters that mean something in an address list (RFC 5322, section 3.2.3), and so could add to one; what isn't seen or
// turns the direction of what stands around it; the mark of a character that was lost on the way; and the beginning of an
// encoded word, which some mail programs decode in addresses too, where none belongs (RFC 2047, section 5).
const addressSpecials = /[<>()[\]\\,;:"@\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffd]|=\?/u;

/**
 * Whether an address can stand in a header and an envelope as it is: a dot-atom at each side of one at-sign. An
 * address that is valid only with quotes is left out, since nobody's mail is lost by it.
 */
export function isPlainAddress(address: string): boolean {
  const [local = "", domain = "", ...rest] = address.split("@");
  return (
    rest.length === 0 &&
    local !== "" &&
    domain !== "" &&
    address.isWellFormed() &&
    !addressSpecials.test(local) &&
    !addressSpecials.test(domain)
  );
}

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
