import { html } from "hono/html";
import { named, nameOfNewsletter } from "#content/own-words.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { feedPath, languageTag } from "#content/site.ts";
import { cutAtWord } from "#content/text.ts";
import type { ArchiveIssue } from "../ports.ts";
import { issuesFileResponse, xmlDocument } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/feed";
import { publishMoment, torontoRfc822 } from "./publish-date.server.ts";

/** RSS 2.0 (rssboard.org/rss-specification). */
export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { archive, settings } = site;
  const address = settings.url + newsletter.head.path;
  return issuesFileResponse(site, "application/rss+xml", async () => {
    const heads = (await archive.heads()).slice(0, 10);
    const issues = (await Promise.all(heads.map(({ id }) => archive.issue(id)))).filter(
      (issue) => issue !== null,
    );
    const dated = issues.find(({ publishDate }) => publishMoment(publishDate));
    return xmlDocument(html`<rss version="2.0"
  xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>${nameOfNewsletter(settings)}</title>
<link>${address}</link>
<description>${named(settings, newsletter.head.description)}</description>
<language>${languageTag.toLowerCase()}</language>
${dated && pubDate(dated)}
<atom:link href="${settings.url + feedPath}" rel="self" type="application/rss+xml"/>
${issues.map((issue) => item(issue, `${address}/${issue.id}`))}
</channel>
</rss>`);
  });
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

/** Its address is also its id. A body that is too long is left out: readers would empty an issue that loses its text. */
function item(issue: ArchiveIssue, address: string) {
  const firstWords = issue.plainText.slice(0, 3_000).replace(/\s+/g, " ").trim();
  const body = issue.html.length <= 256_000 && withAbsoluteLinks(issue.html, address);
  return html`
<item>
<title>${asHtml(issue.title)}</title>
<link>${address}</link>
<guid isPermaLink="true">${address}</guid>
${pubDate(issue)}
<description>${asHtml(cutAtWord(firstWords, 300))}</description>
${body && html`<content:encoded>${body}</content:encoded>`}
</item>`;
}

function pubDate({ publishDate }: ArchiveIssue) {
  const moment = publishMoment(publishDate);
  return moment && html`<pubDate>${torontoRfc822(moment)}</pubDate>`;
}

/** RSS readers read titles and descriptions as HTML. */
function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
