import { languageTag } from "#content/site-language.ts";
import { element, xmlDocument } from "../../seo/xml.server.ts";
import { torontoRfc822 } from "../issue/publish-moment.server.ts";
import type { Feed, FeedEntry } from "./feed.server.ts";

/** RSS 2.0 (rssboard.org/rss-specification), with the whole text in the content module's element. */
export function rssFeed(feed: Feed): string {
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
    ...feed.entries.map(item),
  );
  const namespaces = {
    "xmlns:atom": "http://www.w3.org/2005/Atom",
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  };
  return xmlDocument(element("rss", { version: "2.0", ...namespaces }, channel));
}

function item({ address, title, publishedAt, words }: FeedEntry) {
  return element(
    "item",
    {},
    element("title", {}, title),
    element("link", {}, address),
    element("guid", { isPermaLink: "true" }, address),
    ...(publishedAt ? [element("pubDate", {}, torontoRfc822(publishedAt))] : []),
    ...(words ? [element("description", {}, words.summary)] : []),
    ...(words?.html ? [element("content:encoded", {}, words.html)] : []),
  );
}
