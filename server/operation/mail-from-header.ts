/** A From: the firm's name and the address that mail comes from. */
export function mailFromHeader(siteName: string, address: string): string {
  return `"${siteName.replace(/["\\]/g, "")}" <${address}>`;
}
