import { named, nameOfNewsletter } from "#content/own-words.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { feedPath, languageTag } from "#content/site.ts";
import { inToronto } from "#content/toronto-time.ts";
import {
  element,
  fileResponse,
  unavailableResponse,
  xmlDocument,
} from "../seo/file-response.server.ts";
import type { SiteServices } from "../site-services.ts";
import { cutAtWord } from "./issues.ts";
import type { ArchiveAccess } from "./load-issues.server.ts";
import {
  lastModified,
  publishMoment,
  torontoRfc822,
  torontoTimestamp,
} from "./publish-date.server.ts";

/** Each with its text: a reader that follows changes would empty its copy of an issue that loses it. */
const feedMaxIssues = 10;

/** In UTF-16 code units of HTML; a longer body is replaced by its summary. */
const fullTextMaxLength = 256_000;

const summaryMaxLength = 300;

type FeedEntry = {
  /** Also its id in both feeds. */
  address: string;
  title: string;
  /** Null if the issue has no date. */
  publishedAt: Date | null;
  /** The later of publication and last edit, as RFC 3339. Null if the issue has no date, or a future one. */
  modifiedAt: string | null;
  summary: string;
  /** Null if it is too long. */
  html: string | null;
};

type Feed = {
  title: string;
  description: string;
  /** The archive's address. */
  address: string;
  /** The feed's own. */
  self: string;
  author: { name: string; email: string };
  entries: FeedEntry[];
};

type FeedAccess = ArchiveAccess & Pick<SiteServices, "settings">;

const formats = {
  [feedPath.rss]: { type: "application/rss+xml", write: rssFeed },
  [feedPath.atom]: { type: "application/atom+xml", write: atomFeed },
  [feedPath.json]: { type: "application/feed+json", write: jsonFeed },
};

/** The newsletter as the feed of this path, or 503 if it can't be read. */
export async function feedResponse(access: FeedAccess, pathname: string): Promise<Response> {
  const path = Object.values(feedPath).find((known) => known === pathname) ?? feedPath.rss;
  const { type, write } = formats[path];
  const { url, name, email } = access.settings;
  const address = url + newsletter.head.path;
  try {
    const feed = {
      title: nameOfNewsletter(access.settings),
      description: named(access.settings, newsletter.head.description),
      address,
      self: url + path,
      author: { name, email },
      entries: await readEntries(access, address),
    };
    return fileResponse(write(feed), type);
  } catch (error) {
    access.reportError(error);
    return unavailableResponse();
  }
}

async function readEntries({ archive }: FeedAccess, archiveAddress: string): Promise<FeedEntry[]> {
  const heads = await archive.heads();
  const edits = await archive.edits();
  const entries: FeedEntry[] = [];
  for (const { id, title, publishDate } of heads.slice(0, feedMaxIssues)) {
    const address = `${archiveAddress}/${id}`;
    const issue = await archive.issue(id);
    if (!issue) continue;
    entries.push({
      address,
      title,
      publishedAt: publishMoment(publishDate),
      modifiedAt: lastModified(publishDate, edits.get(id), new Date()),
      ...wordsOf(issue, address),
    });
  }
  return entries;
}

function wordsOf({ html, plainText }: { html: string; plainText: string }, address: string) {
  const firstWords = plainText
    .slice(0, 10 * summaryMaxLength)
    .replace(/\s+/g, " ")
    .trim();
  return {
    summary: cutAtWord(firstWords, summaryMaxLength),
    html: html.length <= fullTextMaxLength ? withAbsoluteLinks(html, address) : null,
  };
}

/**
 * Makes links to pictures and issues of this site absolute. In prepared markup every quotation mark inside text and
 * attributes is escaped, so a pattern finds them.
 */
function withAbsoluteLinks(html: string, address: string): string {
  return html.replace(/<(?:a|img)(?: [a-z-]+="[^"]*")+ ?\/?>/g, (tag) =>
    tag.replace(
      / (href|src)="([#/][^"]*)/,
      (_, name: string, path: string) => ` ${name}="${new URL(path, address).href}`,
    ),
  );
}

/** RSS 2.0 (rssboard.org/rss-specification), with the full text in the content module's element. */
function rssFeed(feed: Feed): string {
  const latest = feed.entries.find(({ publishedAt }) => publishedAt)?.publishedAt;
  const channel = element(
    "channel",
    {},
    element("title", {}, feed.title),
    element("link", {}, feed.address),
    element("description", {}, feed.description),
    element("language", {}, languageTag.toLowerCase()),
    ...(latest ? [element("pubDate", {}, torontoRfc822(latest))] : []),
    element("atom:link", { href: feed.self, rel: "self", type: "application/rss+xml" }),
    ...feed.entries.map(rssItem),
  );
  const namespaces = {
    "xmlns:atom": "http://www.w3.org/2005/Atom",
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  };
  return xmlDocument(element("rss", { version: "2.0", ...namespaces }, channel));
}

function rssItem({ address, title, publishedAt, summary, html }: FeedEntry) {
  return element(
    "item",
    {},
    element("title", {}, asHtml(title)),
    element("link", {}, address),
    element("guid", { isPermaLink: "true" }, address),
    ...(publishedAt ? [element("pubDate", {}, torontoRfc822(publishedAt))] : []),
    element("description", {}, asHtml(summary)),
    ...(html ? [element("content:encoded", {}, html)] : []),
  );
}

/** RSS readers take a title and a description for HTML. */
function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The Atom Syndication Format (RFC 4287). */
function atomFeed(feed: Feed): string {
  const dates = datesOf(feed.entries);
  const latest = dates.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? startOfToday();
  return xmlDocument(
    element(
      "feed",
      { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": languageTag },
      element("title", {}, feed.title),
      element("subtitle", {}, feed.description),
      element("id", {}, feed.self),
      element("link", { rel: "self", type: "application/atom+xml", href: feed.self }),
      element("link", { rel: "alternate", type: "text/html", href: feed.address }),
      element("updated", {}, latest),
      element(
        "author",
        {},
        element("name", {}, feed.author.name),
        element("email", {}, feed.author.email),
      ),
      ...feed.entries.map((entry, index) => atomEntry(entry, dates[index] ?? latest)),
    ),
  );
}

function atomEntry({ address, title, publishedAt, summary, html }: FeedEntry, updatedAt: string) {
  return element(
    "entry",
    {},
    element("title", {}, title),
    element("id", {}, address),
    element("link", { rel: "alternate", type: "text/html", href: address }),
    ...(publishedAt ? [element("published", {}, torontoTimestamp(publishedAt))] : []),
    element("updated", {}, updatedAt),
    element("summary", {}, summary),
    ...(html ? [element("content", { type: "html" }, html)] : []),
  );
}

/** Atom requires dates: an entry without one gets that of the next older entry, or else today's. */
function datesOf(entries: readonly FeedEntry[]): string[] {
  return entries.map((_, index) => {
    const dated = entries.slice(index).find(({ publishedAt }) => publishedAt);
    if (!dated?.publishedAt) return startOfToday();
    return dated.modifiedAt ?? torontoTimestamp(dated.publishedAt);
  });
}

function startOfToday(): string {
  return torontoTimestamp(new Date(inToronto(Date.now()).startOfDay().epochMilliseconds));
}

/** JSON Feed 1.1 (jsonfeed.org/version/1.1). */
function jsonFeed(feed: Feed): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    home_page_url: feed.address,
    feed_url: feed.self,
    description: feed.description,
    language: languageTag,
    authors: [{ name: feed.author.name }],
    items: feed.entries.map(({ address, title, publishedAt, modifiedAt, summary, html }) => ({
      id: address,
      url: address,
      title,
      ...(publishedAt && { date_published: torontoTimestamp(publishedAt) }),
      ...(modifiedAt && { date_modified: modifiedAt }),
      summary,
      // Each item must have a content.
      ...(html ? { content_html: html } : { content_text: summary }),
    })),
  });
}
