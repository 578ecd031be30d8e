import { newsletter } from "#content/pages/newsletter.ts";
import { pagePolicies } from "#contracts/page-policy.ts";
import type { IssueHead } from "../newsletter/archive/issues-client.server.ts";
import { publishMoment, torontoTimestamp } from "../newsletter/issue/publish-moment.server.ts";
import { element, type Xml, xmlDocument } from "./xml.server.ts";

/** Issues in one file. Where there are more, `/sitemap.xml` is an index of files, so that each costs about the same. */
const partMaxIssues = 500;

const namespace = { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" };

type Listed = {
  siteUrl: string;
  /** Of the pages that list issues. */
  listPaths: readonly string[];
  /** Newest first. */
  issues: readonly IssueHead[];
  /** When some of them were changed later, as ISO times by their ids. */
  edits: ReadonlyMap<number, string>;
  now: Date;
};

/** `/sitemap.xml` (sitemaps.org): every page that may be found and every issue, or the files in which they are. */
export function sitemap(listed: Listed): string {
  const { siteUrl, issues } = listed;
  if (issues.length <= partMaxIssues) {
    return addresses([...pagesOf(listed), ...issuesOf(listed, issues)]);
  }
  const parts = Array.from(
    { length: Math.ceil(issues.length / partMaxIssues) },
    (_, index) => new URL(`/sitemap-issues.xml?part=${index + 1}`, siteUrl).href,
  );
  const files = [new URL("/sitemap-pages.xml", siteUrl).href, ...parts];
  return xmlDocument(
    element(
      "sitemapindex",
      namespace,
      ...files.map((href) => element("sitemap", {}, element("loc", {}, href))),
    ),
  );
}

/** Every page that may be found, without the issues. */
export function sitemapOfPages(listed: Pick<Listed, "siteUrl" | "listPaths">): string {
  return addresses(pagesOf(listed));
}

/**
 * A part of the issues, counted from 1, the oldest: a new issue changes the last file alone. Null where there is no such
 * part.
 */
export function sitemapOfIssues(listed: Omit<Listed, "listPaths">, part: number): string | null {
  const { issues } = listed;
  const end = issues.length - (part - 1) * partMaxIssues;
  if (end <= 0) return null;
  return addresses(issuesOf(listed, issues.slice(Math.max(end - partMaxIssues, 0), end)));
}

function addresses(urls: Xml[]): string {
  return xmlDocument(element("urlset", namespace, ...urls));
}

function pagesOf({ siteUrl, listPaths }: Pick<Listed, "siteUrl" | "listPaths">): Xml[] {
  // When one of them was last changed is not known.
  return [
    ...pagePolicies.filter(({ isInSitemap }) => isInSitemap).map(({ path }) => path),
    ...listPaths,
  ].map((path) => address(new URL(path, siteUrl).href));
}

function issuesOf(
  { siteUrl, edits, now }: Pick<Listed, "siteUrl" | "edits" | "now">,
  issues: readonly IssueHead[],
): Xml[] {
  return issues.map(({ id, publish_date }) =>
    address(
      `${siteUrl}${newsletter.head.path}/${id}`,
      lastModified(publish_date, edits.get(id), now),
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

/**
 * When an issue came out, or was changed after that: what was done to it before, nobody could see. A day still to come
 * can't be when something was changed.
 */
function lastModified(
  publishDate: string | null,
  editedAt: string | undefined,
  now: Date,
): string | null {
  const publishedAt = publishMoment(publishDate);
  if (publishedAt === null || publishedAt > now) return null;
  const edited = new Date(editedAt ?? 0);
  return torontoTimestamp(edited > publishedAt ? edited : publishedAt);
}
