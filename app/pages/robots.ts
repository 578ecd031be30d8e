import { fileResponse } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/robots";

/** RFC 9309. Excluded pages say `noindex`, which a crawler sees only if it may fetch them. */
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
  return fileResponse(lines.join("\n"), "text/plain");
}
