import { domainToASCII } from "node:url";
import * as v from "valibot";
import { emailAddress, emailMaxLength, isPlainAddress } from "#content/text.ts";

const dotlessDomains = new Set(["gmail.com", "googlemail.com"]);

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Unicode changes only its capitals. */
const plainAscii = /^[ -~]*$/;

/** Needs quotes in an address (RFC 5322, section 3.2.3), or isn't text. */
const unplain = /[\s\p{Cc}\p{Cs}<>()[\]\\,;:"@\ufffd]/u;

/** RFC 5891. */
const asciiDomain = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

/** Ignores capitals, width, tag (RFC 5233) and Gmail's dots. Null where no mail could arrive. Only for comparing. */
export function findMailbox(email: string): string | null {
  const at = email.lastIndexOf("@");
  if (at < 0) return null;
  const domain = foldDomain(email.slice(at + 1));
  const untagged = fold(email.slice(0, at)).replace(/(?<=.)\+.*$/s, "");
  const local = dotlessDomains.has(domain) ? fold(untagged.replaceAll(".", "")) : untagged;
  if (local === "" || unplain.test(local) || !asciiDomain.test(domain)) return null;
  return `${local}@${domain === "googlemail.com" ? "gmail.com" : domain}`;
}

/** `findMailbox`, or the folded text. */
export function mailboxKey(email: string): string {
  return findMailbox(email) ?? fold(email);
}

/** Lower-casing can compose differently. */
function fold(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase();
  return withoutHidden(text).toLowerCase().normalize("NFKC");
}

function withoutHidden(text: string): string {
  return text.normalize("NFKC").replace(invisible, "");
}

/** UTS #46. The URL parser would cut off a path and decode `%6d`. */
function foldDomain(text: string): string {
  const plain = text.normalize("NFKC");
  if (unplain.test(plain) || /[%/?#]/.test(plain)) return "";
  return domainToASCII(plain).replace(/\.$/, "");
}

const schema = emailAddress("Email");

/** Null where no mail could arrive. */
export function readAddress(text: string): string | null {
  const typed = v.safeParse(schema, text);
  if (!typed.success || findMailbox(typed.output) === null) return null;
  const address = withoutHidden(typed.output).normalize("NFKC").replace(/\.$/, "");
  return address.length <= emailMaxLength && isPlainAddress(address) ? address : null;
}
