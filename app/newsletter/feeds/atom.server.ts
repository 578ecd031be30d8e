import { languageTag } from "#content/site-language.ts";
import { element, xmlDocument } from "../../seo/xml.server.ts";
import { torontoTimestamp } from "../issue/publish-moment.server.ts";
import type { Feed, FeedEntry } from "./feed.server.ts";

/** Stands where Atom requires a date and no issue has one. */
const noDate = new Date(0);

/** The Atom Syndication Format (RFC 4287). */
export function atomFeed(feed: Feed): string {
  const dates = datesOf(feed.entries);
  const latest = new Date(Math.max(...[noDate, ...dates].map(Number)));
  return xmlDocument(
    element(
      "feed",
      { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": languageTag },
      element("title", {}, feed.title),
      element("subtitle", {}, feed.description),
      element("id", {}, feed.self),
      element("link", { rel: "self", type: "application/atom+xml", href: feed.self }),
      element("link", { rel: "alternate", type: "text/html", href: feed.address }),
      element("updated", {}, torontoTimestamp(latest)),
      element(
        "author",
        {},
        element("name", {}, feed.author.name),
        element("email", {}, feed.author.email),
      ),
      ...feed.entries.map((entry, index) => entryElement(entry, dates[index] ?? noDate)),
    ),
  );
}

function entryElement({ address, title, publishedAt, words }: FeedEntry, updatedAt: Date) {
  return element(
    "entry",
    {},
    element("title", {}, title),
    element("id", {}, address),
    element("link", { rel: "alternate", type: "text/html", href: address }),
    ...(publishedAt ? [element("published", {}, torontoTimestamp(publishedAt))] : []),
    element("updated", {}, torontoTimestamp(updatedAt)),
    ...(words ? [element("summary", {}, words.summary)] : []),
    ...(words?.html ? [element("content", { type: "html" }, words.html)] : []),
  );
}

/** Atom wants a date of every entry: one without stands at that of the next older entry that has one. */
function datesOf(entries: readonly FeedEntry[]): Date[] {
  return entries.map(
    (_, index) =>
      entries.slice(index).find(({ publishedAt }) => publishedAt)?.publishedAt ?? noDate,
  );
}
