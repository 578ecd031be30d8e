import { fileMaxAgeS, fileResponse } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/robots";

/**
 * `/robots.txt` (RFC 9309). Pages that search engines should leave out say so themselves, which a crawler reads only
 * where it is let in.
 */
export function loader({ context }: Route.LoaderArgs) {
  const { url } = context.get(siteContext).settings;
  const lines = [
    "User-agent: *",
    "Allow: /",
    "Disallow: /rest/",
    "Disallow: /functions/",
    "",
    `Sitemap: ${url}/sitemap.xml`,
    "",
  ];
  return fileResponse(lines.join("\n"), "text/plain", fileMaxAgeS);
}
