import { pathsOfAllIssues } from "../newsletter/archive/load-all-issues.server.ts";
import { sitemapOfPages } from "../seo/sitemap.server.ts";
import { sitemapResponse } from "../seo/sitemap-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/sitemap-pages";

/** `/sitemap-pages.xml`: every page but the issues. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  return await sitemapResponse(site, (archive) =>
    sitemapOfPages({ siteUrl: site.settings.url, listPaths: pathsOfAllIssues(archive) }),
  );
}
