import { randomBytes } from "node:crypto";
import type { RequestOrigin, SiteSettings } from "#contracts/site-settings.ts";
import { createStylesReader, finishDocument } from "./document/finish-document.ts";
import type { PageAddress } from "./page-address.ts";
import { mustRevalidate } from "./page-cache.ts";

export type AnswerRequest = (
  request: Request,
  origin: RequestOrigin,
) => Response | Promise<Response>;

export type PageMakerOptions = {
  settings: SiteSettings;
  /** The website: every page and form. */
  site: AnswerRequest;
  /** The folder of the built site; null where pages come from sources. */
  clientDirectory: string | null;
  /** The word that tags for a CDN's purging begin with; null: pages have none. */
  cacheTags: string | null;
};

/**
 * Returns a function that makes a page: it asks the router, finishes the document and sets the headers for caches.
 */
export function createPageMaker({ settings, site, clientDirectory, cacheTags }: PageMakerOptions) {
  const readStyles = clientDirectory ? createStylesReader(clientDirectory) : null;

  return async (request: Request, address: PageAddress, origin: RequestOrigin) => {
    const { page } = address;
    const nonce = randomBytes(16).toString("hex");
    const made = await site(request, { ...origin, nonce });
    const headers = new Headers(made.headers);
    const isNeverCached = made.status >= 500 || request.method === "POST";
    if (isNeverCached) headers.set("Cache-Control", "no-store");
    else if (!headers.has("Cache-Control"))
      headers.set("Cache-Control", made.ok ? cachingOf(address) : mustRevalidate);
    if (cacheTags) headers.set("Cache-Tag", tagsOf(address, cacheTags));
    const { status } = made;
    if (!headers.get("Content-Type")?.startsWith("text/html"))
      return new Response(made.body, { status, headers });
    const facts = { settings, nonce, showsIssueBody: page.showsIssueBody, readStyles };
    const { html, policy } = finishDocument(await made.text(), facts);
    headers.set("Content-Security-Policy", policy);
    return new Response(html, { status, headers });
  };
}

/**
 * How others may cache a page (RFC 9111, RFC 5861). Browsers always revalidate. A CDN may answer for a minute, or for five
 * seconds where issues are shown, since a mail that has just gone out may link there.
 */
function cachingOf({ page, isData, key }: PageAddress): string {
  if (key === null || isData) return mustRevalidate;
  return page.showsIssues
    ? "public, max-age=0, s-maxage=5, must-revalidate"
    : "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
}

/** `Cache-Tag`, by which a CDN purges all pages, those that a new issue changes, or those that show one issue. */
function tagsOf({ page, issueId }: PageAddress, word: string): string {
  const tags = [word];
  if (page.showsIssues) tags.push(`${word}-issues`);
  if (issueId !== null) tags.push(`${word}-issue-${issueId}`);
  return tags.join();
}
