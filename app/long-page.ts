import { useMatches } from "react-router";

/**
 * A route's `handle` where a page shows an issue, whose words take most of the first flight of bytes. Such a page has the
 * styles of `frame-ends.css` fetched with others that it needs late, and tells of the firm what tells who it is.
 */
export const longPage = "long-page";

export function useIsLongPage(): boolean {
  return useMatches().some(({ handle }) => handle === longPage);
}
