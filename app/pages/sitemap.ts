import { pathsOfAllIssues } from "../newsletter/archive/load-all-issues.server.ts";
import { sitemap } from "../seo/sitemap.server.ts";
import { sitemapResponse } from "../seo/sitemap-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/sitemap";

/** `/sitemap.xml`: the whole of a small site, or an index of the files below. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  return await sitemapResponse(site, (archive, edits) =>
    sitemap({
      siteUrl: site.settings.url,
      listPaths: pathsOfAllIssues(archive),
      issues: archive.heads,
      edits,
      now: new Date(),
    }),
  );
}
