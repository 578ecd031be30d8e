import { newsletter } from "#content/pages/newsletter.ts";
import { pagePolicies } from "#contracts/page-policy.ts";
import type { IssueHead } from "../newsletter/issues-client.server.ts";
import { publishMoment, torontoTimestamp } from "../newsletter/publish-moment.ts";
import { element, xmlDocument } from "./xml.server.ts";

/**
 * The sitemap (sitemaps.org): every page that may be found, and every issue. An issue is not changed after it has gone
 * out, so its date of publication is when it was last changed. For the other pages no true date is known.
 */
export function sitemap(siteUrl: string, issues: readonly IssueHead[], now: Date): string {
  return xmlDocument(
    element(
      "urlset",
      { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" },
      ...pagePolicies
        .filter(({ isInSitemap }) => isInSitemap)
        .map(({ path }) => element("url", {}, element("loc", {}, new URL(path, siteUrl).href))),
      ...issues.map((issue) => issueElement(siteUrl, issue, now)),
    ),
  );
}

function issueElement(siteUrl: string, issue: IssueHead, now: Date) {
  const publishedAt = publishMoment(issue.publish_date);
  // A day still to come can't be when something was changed.
  const isTrue = publishedAt !== null && publishedAt <= now;
  return element(
    "url",
    {},
    element("loc", {}, `${siteUrl}${newsletter.head.path}/${issue.id}`),
    ...(isTrue ? [element("lastmod", {}, torontoTimestamp(publishedAt))] : []),
  );
}
