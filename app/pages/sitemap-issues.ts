import { sitemapOfIssues } from "../seo/sitemap.server.ts";
import { sitemapResponse } from "../seo/sitemap-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/sitemap-issues";

/** `/sitemap-issues.xml?part=2`: some hundred issues of a long archive; without a part, the oldest. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const part = new URL(request.url).searchParams.get("part") ?? "1";
  return await sitemapResponse(site, ({ heads }, edits) =>
    /^[1-9]\d{0,2}$/.test(part)
      ? sitemapOfIssues(
          { siteUrl: site.settings.url, issues: heads, edits, now: new Date() },
          Number(part),
        )
      : null,
  );
}
