/** Domains of the one large service that reads addresses without their dots. */
const dotlessDomains = new Set(["gmail.com", "googlemail.com"]);

/**
 * The mailbox that an address most likely leads to, for counting what one person is sent: capitals, a tag after a plus
 * sign (RFC 5233) and Gmail's dots make no other mailbox. Never an address to write to, and no subscriber's identity.
 */
export function mailboxKey(email: string): string {
  const address = email.normalize("NFC").toLowerCase();
  const at = address.lastIndexOf("@");
  if (at < 0) return address;
  const domain = address.slice(at + 1);
  const local = address.slice(0, at);
  const untagged = local.replace(/(?<=.)\+.*$/s, "");
  if (!dotlessDomains.has(domain)) return `${untagged}@${domain}`;
  return `${untagged.replaceAll(".", "")}@gmail.com`;
}
