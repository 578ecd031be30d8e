import { domainToASCII } from "node:url";
import * as v from "valibot";
import { emailAddress, emailMaxLength } from "#contracts/text.ts";
import { isPlainAddress } from "./mail-message.ts";

/** Domains of the one large service that reads addresses without their dots. */
const dotlessDomains = new Set(["gmail.com", "googlemail.com"]);

/** What shows nothing: soft hyphens, zero-width characters, direction marks, selectors. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** What no rule of Unicode changes but for its capitals: nearly every address, which is folded several times. */
const plainAscii = /^[ -~]*$/;

/** What can't stand in an address without quotes (RFC 5322, section 3.2.3), and what isn't text at all. */
const unplain = /[\s\p{Cc}\p{Cs}<>()[\]\\,;:"@\ufffd]/u;

/** Two labels or more of a domain name in its encoded form (RFC 5891), as mail servers look it up. */
const asciiDomain = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

/**
 * The mailbox that an address leads to, the same for every way to write it: capitals, full-width letters, what shows
 * nothing, a domain's encoding and its trailing dot, a tag after a plus sign (RFC 5233), Gmail's dots. Null where no mail
 * could arrive. Whatever compares people compares this. Never an address to write to.
 */
export function findMailbox(email: string): string | null {
  const at = email.lastIndexOf("@");
  if (at < 0) return null;
  const domain = foldDomain(email.slice(at + 1));
  const untagged = fold(email.slice(0, at)).replace(/(?<=.)\+.*$/s, "");
  const local = dotlessDomains.has(domain) ? untagged.replaceAll(".", "") : untagged;
  if (local === "" || unplain.test(local) || !asciiDomain.test(domain)) return null;
  return `${local}@${domain === "googlemail.com" ? "gmail.com" : domain}`;
}

/** `findMailbox` where there is one; otherwise the text with what is alike made alike, so that it can be counted too. */
export function mailboxKey(email: string): string {
  return findMailbox(email) ?? fold(email);
}

/**
 * The same mailbox as its mail server knows it: full-width letters as the usual ones, without what shows nothing, and
 * without the domain's trailing dot. With them a mail would be refused, and hold the mailbox's own back for an hour.
 */
export function deliverableSpelling(email: string): string {
  return withoutHidden(email).normalize("NFKC").replace(/\.$/, "");
}

/** Once more at the end: what is lower-cased or left out can make what is composed otherwise. */
function fold(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase();
  return withoutHidden(text).toLowerCase().normalize("NFKC");
}

function withoutHidden(text: string): string {
  return text.normalize("NFKC").replace(invisible, "");
}

/** As UTS #46 maps it, for what can stand in a domain; the URL parser behind it would cut a path off and decode `%6d`. */
function foldDomain(text: string): string {
  const plain = text.normalize("NFKC");
  if (unplain.test(plain) || /[%/?#]/.test(plain)) return "";
  return domainToASCII(plain).replace(/\.$/, "");
}

const schema = emailAddress("Email");

/** The address in a visitor's text, as mail can be sent to it; null where it is none. */
export function readAddress(text: string): string | null {
  const typed = v.safeParse(schema, text);
  if (!typed.success || findMailbox(typed.output) === null) return null;
  const address = deliverableSpelling(typed.output);
  return address.length <= emailMaxLength && isPlainAddress(address) ? address : null;
}
