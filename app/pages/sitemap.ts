import { readIssueHeads } from "../newsletter/issues-client.server.ts";
import { feedMaxAgeS, fileResponse, unavailableResponse } from "../seo/file-response.server.ts";
import { sitemap } from "../seo/sitemap.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/sitemap";

/** `/sitemap.xml`. Without the issues it would say that they are gone, so a failed read is a failure here too. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const read = await readIssueHeads(site);
  if (!read.ok) return unavailableResponse();
  const body = sitemap(site.settings.url, read.heads, new Date());
  return fileResponse(body, "application/xml", feedMaxAgeS);
}
