import type { PageAddress } from "./resolve-address.ts";

/** A browser may keep the answer and asks each time whether it still holds; nobody gives it to others. */
export const mustRevalidate = "public, max-age=0, must-revalidate";

/** How long a browser may use data that it asked for ahead: from the pointer's rest on a link to the click, in seconds. */
const prefetchMaxAgeS = 10;
const prefetched = `private, max-age=${prefetchMaxAgeS}`;

/**
 * Caching of a page that could be made (RFC 9111, RFC 5861). Browsers always ask, and mostly get 304. A CDN may answer
 * for a minute by itself and go on for ten while it fetches anew; for five seconds where issues are shown, which a
 * reader may be told of in a mail that has just gone out. The origin itself shows an issue within two.
 */
export function pageCaching({ policy, isData, key }: PageAddress): string {
  if (key === null || isData) return mustRevalidate;
  return policy.showsIssues
    ? "public, max-age=0, s-maxage=5, must-revalidate"
    : "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
}

/**
 * Caching of data that is fetched ahead of a click, and must still be there at the click; null where none is asked for.
 * `purpose` is the request's `Sec-Purpose`.
 */
export function aheadCaching(isData: boolean, purpose: string | undefined): string | null {
  return isData && purpose?.startsWith("prefetch") ? prefetched : null;
}
