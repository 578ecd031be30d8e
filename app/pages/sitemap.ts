import { html } from "hono/html";
import { newsletter } from "#content/pages/newsletter.ts";
import { pages } from "#pages.ts";
import { pathsOfAllIssues } from "../newsletter/load-issues.server.ts";
import { lastModified } from "../newsletter/publish-date.server.ts";
import { issuesFileResponse, xmlDocument } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/sitemap";

/** sitemaps.org. When a page last changed is unknown. */
export function loader({ context }: Route.LoaderArgs) {
  const { archive, settings, reportError } = context.get(siteContext);
  return issuesFileResponse({ reportError }, "application/xml", async () => {
    const issues = await archive.heads();
    const edits = await archive.edits();
    const listed = pages.filter(({ isInSitemap }) => isInSitemap).map(({ path }) => path);
    const now = new Date();
    const addresses = [
      ...[...listed, ...pathsOfAllIssues(issues)].map((path) =>
        address(new URL(path, settings.url).href, null),
      ),
      ...issues.map(({ id, publishDate }) =>
        address(
          `${settings.url}${newsletter.head.path}/${id}`,
          lastModified(publishDate, edits.get(id), now),
        ),
      ),
    ];
    return xmlDocument(
      html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses}</urlset>`,
    );
  });
}

function address(href: string, lastmod: string | null) {
  return html`
<url><loc>${href}</loc>${lastmod && html`<lastmod>${lastmod}</lastmod>`}</url>`;
}
