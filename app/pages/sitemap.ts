import { currentArchive } from "../newsletter/archive-index.server.ts";
import { pathsOfAllIssues } from "../newsletter/load-all-issues.server.ts";
import { feedMaxAgeS, fileResponse, unavailableResponse } from "../seo/file-response.server.ts";
import { sitemap } from "../seo/sitemap.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/sitemap";

/** `/sitemap.xml`. Without the issues it would say that they are gone, so a failed read is a failure here too. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  try {
    const archive = await currentArchive(site);
    const body = sitemap(site.settings.url, {
      listPaths: pathsOfAllIssues(archive),
      issues: archive.heads,
      now: new Date(),
    });
    return fileResponse(body, "application/xml", feedMaxAgeS);
  } catch (error) {
    site.reportError(error);
    return unavailableResponse();
  }
}
