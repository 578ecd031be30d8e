import type { Config } from "../config.ts";

/** The From of every mail: the firm's name and the address that mail comes from. */
export function mailFromHeader({ siteName, mailFrom }: Config): string {
  return `"${siteName.replace(/["\\]/g, "")}" <${mailFrom}>`;
}
