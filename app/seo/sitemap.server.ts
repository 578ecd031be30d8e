import { newsletter } from "#content/pages/newsletter.ts";
import { pagePolicies } from "#contracts/page-policy.ts";
import type { IssueHead } from "../newsletter/issues-client.server.ts";
import { publishMoment, torontoTimestamp } from "../newsletter/publish-moment.ts";
import { element, type Xml, xmlDocument } from "./xml.server.ts";

/** A sitemap may list 50,000 addresses (sitemaps.org). Those of the oldest issues beyond so many are left out. */
const maxIssues = 45_000;

type Listed = {
  /** Of the pages that list issues. */
  listPaths: readonly string[];
  /** Newest first. */
  issues: readonly IssueHead[];
  now: Date;
};

/**
 * The sitemap (sitemaps.org): every page that may be found, and every issue. An issue is not changed after it has gone
 * out, so its date of publication is when it was last changed. For the other pages no true date is known.
 */
export function sitemap(siteUrl: string, { listPaths, issues, now }: Listed): string {
  const paths = [
    ...pagePolicies.filter(({ isInSitemap }) => isInSitemap).map(({ path }) => path),
    ...listPaths,
  ];
  const dates = lastModifiedDates(now);
  return xmlDocument(
    element(
      "urlset",
      { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" },
      ...paths.map((path) => address(new URL(path, siteUrl).href)),
      ...issues
        .slice(0, maxIssues)
        .map(({ id, publish_date }) =>
          address(`${siteUrl}${newsletter.head.path}/${id}`, dates(publish_date)),
        ),
    ),
  );
}

function address(href: string, lastmod: string | null = null): Xml {
  return element(
    "url",
    {},
    element("loc", {}, href),
    ...(lastmod === null ? [] : [element("lastmod", {}, lastmod)]),
  );
}

/** A day still to come can't be when something was changed. */
function lastModifiedDates(now: Date) {
  return (publishDate: string | null): string | null => {
    const publishedAt = publishMoment(publishDate);
    return publishedAt !== null && publishedAt <= now ? torontoTimestamp(publishedAt) : null;
  };
}
