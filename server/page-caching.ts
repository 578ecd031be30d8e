import { isAboutIssues, pageKey } from "./page-cache/page-key.ts";

/** A browser may keep the answer and asks each time whether it still holds; nobody gives it to others. */
export const askedAgain = "public, max-age=0, must-revalidate";

/** How long a browser may use data that it asked for ahead: from the pointer's rest on a link to the click, in seconds. */
const askedAheadMaxAgeS = 10;

/**
 * Caching of a page that could be made (RFC 9111, RFC 5861). Browsers always ask, and mostly get 304. A CDN may answer
 * for a minute by itself and go on for ten while it fetches anew; for five seconds where issues are shown, which a
 * reader may be told of in a mail that has just gone out. The origin itself shows an issue within two. `purpose` is the
 * request's `Sec-Purpose`: data fetched ahead of a click must still be there at the click.
 */
export function pageCaching(target: string, purpose?: string): string {
  const isData = /^[^?]*\.data(?:\?|$)/.test(target);
  if (isData && purpose?.startsWith("prefetch")) return `private, max-age=${askedAheadMaxAgeS}`;
  const page = pageKey(target);
  if (!page || isData) return askedAgain;
  return isAboutIssues(page)
    ? "public, max-age=0, s-maxage=5, must-revalidate"
    : "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
}
