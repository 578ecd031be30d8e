import { html } from "hono/html";
import { named, nameOfNewsletter } from "#content/own-words.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { feedPath, languageTag } from "#content/site.ts";
import { cutAtWord } from "#content/text.ts";
import { inToronto } from "#content/toronto-time.ts";
import type { Archive } from "../ports.ts";
import { issuesFileResponse, xmlDocument } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/feed";
import {
  lastModified,
  publishMoment,
  torontoRfc822,
  torontoTimestamp,
} from "./publish-date.server.ts";

const summaryMaxLength = 300;

type FeedEntry = {
  /** Also its id. */
  address: string;
  title: string;
  publishedAt: Date | null;
  /** RFC 3339; null for a missing or future date. */
  modifiedAt: string | null;
  summary: string;
  /** Null if it is too long. */
  body: string | null;
};

type Feed = {
  title: string;
  description: string;
  address: string;
  self: string;
  author: { name: string; email: string };
  entries: FeedEntry[];
};

const formats = {
  [feedPath.rss]: { type: "application/rss+xml", write: rssFeed },
  [feedPath.atom]: { type: "application/atom+xml", write: atomFeed },
  [feedPath.json]: { type: "application/feed+json", write: jsonFeed },
};

export function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { url, name, email } = site.settings;
  const { pathname } = new URL(request.url);
  const path = Object.values(feedPath).find((known) => known === pathname) ?? feedPath.rss;
  const { type, write } = formats[path];
  return issuesFileResponse(site, type, async () => {
    const address = url + newsletter.head.path;
    return write({
      title: nameOfNewsletter(site.settings),
      description: named(site.settings, newsletter.head.description),
      address,
      self: url + path,
      author: { name, email },
      entries: await readEntries(site.archive, address),
    });
  });
}

async function readEntries(archive: Archive, archiveAddress: string): Promise<FeedEntry[]> {
  const heads = await archive.heads();
  const edits = await archive.edits();
  const entries: FeedEntry[] = [];
  // Readers would empty an issue that loses its text.
  for (const { id, title, publishDate } of heads.slice(0, 10)) {
    const address = `${archiveAddress}/${id}`;
    const issue = await archive.issue(id);
    if (!issue) continue;
    const isShort = issue.html.length <= 256_000;
    entries.push({
      address,
      title,
      publishedAt: publishMoment(publishDate),
      modifiedAt: lastModified(publishDate, edits.get(id), new Date()),
      summary: summaryOf(issue.plainText),
      body: isShort ? withAbsoluteLinks(issue.html, address) : null,
    });
  }
  return entries;
}

function summaryOf(plainText: string): string {
  const firstWords = plainText.slice(0, 10 * summaryMaxLength).replace(/\s+/g, " ");
  return cutAtWord(firstWords.trim(), summaryMaxLength);
}

/** A pattern suffices: prepared markup escapes every quotation mark. */
function withAbsoluteLinks(body: string, address: string): string {
  return body.replace(/<(?:a|img)(?: [a-z-]+="[^"]*")+ ?\/?>/g, (tag) =>
    tag.replace(
      / (href|src)="([#/][^"]*)/,
      (_, name: string, path: string) => ` ${name}="${new URL(path, address).href}`,
    ),
  );
}

/** RSS 2.0 (rssboard.org/rss-specification). */
function rssFeed({ title, description, address, self, entries }: Feed): string {
  const latest = entries.find(({ publishedAt }) => publishedAt)?.publishedAt;
  return xmlDocument(html`<rss version="2.0"
  xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>${title}</title>
<link>${address}</link>
<description>${description}</description>
<language>${languageTag.toLowerCase()}</language>
${latest && html`<pubDate>${torontoRfc822(latest)}</pubDate>`}
<atom:link href="${self}" rel="self" type="application/rss+xml"/>
${entries.map(rssItem)}
</channel>
</rss>`);
}

function rssItem({ address, title, publishedAt, summary, body }: FeedEntry) {
  return html`
<item>
<title>${asHtml(title)}</title>
<link>${address}</link>
<guid isPermaLink="true">${address}</guid>
${publishedAt && html`<pubDate>${torontoRfc822(publishedAt)}</pubDate>`}
<description>${asHtml(summary)}</description>
${body && html`<content:encoded>${body}</content:encoded>`}
</item>`;
}

/** RSS readers read titles and descriptions as HTML. */
function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** RFC 4287. */
function atomFeed({ title, description, address, self, author, entries }: Feed): string {
  const dates = datesOf(entries);
  const latest = dates.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? startOfToday();
  return xmlDocument(html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${languageTag}">
<title>${title}</title>
<subtitle>${description}</subtitle>
<id>${self}</id>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${address}"/>
<updated>${latest}</updated>
<author><name>${author.name}</name><email>${author.email}</email></author>
${entries.map((entry, index) => atomEntry(entry, dates[index] ?? latest))}
</feed>`);
}

function atomEntry({ address, title, publishedAt, summary, body }: FeedEntry, updatedAt: string) {
  return html`
<entry>
<title>${title}</title>
<id>${address}</id>
<link rel="alternate" type="text/html" href="${address}"/>
${publishedAt && html`<published>${torontoTimestamp(publishedAt)}</published>`}
<updated>${updatedAt}</updated>
<summary>${summary}</summary>
${body && html`<content type="html">${body}</content>`}
</entry>`;
}

/** Atom requires dates: undated entries get the next older one's. */
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
    items: feed.entries.map(({ address, title, publishedAt, modifiedAt, summary, body }) => ({
      id: address,
      url: address,
      title,
      ...(publishedAt && { date_published: torontoTimestamp(publishedAt) }),
      ...(modifiedAt && { date_modified: modifiedAt }),
      summary,
      // Each item needs content.
      ...(body ? { content_html: body } : { content_text: summary }),
    })),
  });
}
