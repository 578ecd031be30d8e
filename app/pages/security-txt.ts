import { contact } from "#content/pages/contact.ts";
import { fileResponse } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/security-txt";

export function loader({ context }: Route.LoaderArgs) {
  const { url, email } = context.get(siteContext).settings;
  const expires = new Date();
  // RFC 9116 recommends less than a year.
  expires.setUTCDate(expires.getUTCDate() + 180);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    `Contact: mailto:${email}`,
    `Contact: ${url}${contact.head.path}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${url}/.well-known/security.txt`,
    "",
  ];
  return fileResponse(lines.join("\n"), "text/plain");
}
