import { newsletter } from "#content/pages/newsletter.ts";
import type { IssueHead } from "#contracts/ports.ts";
import { pages as sitePages } from "#pages.ts";
import { lastModified } from "../newsletter/publish-date.server.ts";
import { element, type Xml, xmlDocument } from "./file-response.server.ts";

type Listed = {
  siteUrl: string;
  /** The pages that list issues. */
  listPaths: readonly string[];
  issues: readonly IssueHead[];
  /** When issues were edited after publication, as ISO times by id. */
  edits: ReadonlyMap<number, string>;
  now: Date;
};

/** `/sitemap.xml` (sitemaps.org): every indexed page and every issue. */
export function sitemap({ siteUrl, listPaths, issues, edits, now }: Listed): string {
  const pages = sitePages.filter(({ isInSitemap }) => isInSitemap).map(({ path }) => path);
  return xmlDocument(
    element(
      "urlset",
      { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" },
      // When a page last changed is unknown.
      ...[...pages, ...listPaths].map((path) => address(new URL(path, siteUrl).href)),
      ...issues.map(({ id, publishDate }) =>
        address(
          `${siteUrl}${newsletter.head.path}/${id}`,
          lastModified(publishDate, edits.get(id), now),
        ),
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
