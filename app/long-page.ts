import { useMatches, useRouteError } from "react-router";

/**
 * A route's `handle` where a page shows an issue, whose words take most of the first flight of bytes. Such a page has the
 * styles of `frame-ends.css` and `print.css` fetched with others that it needs late, and tells of the firm what tells who it is.
 */
export const longPage = "long-page";

/** A page that could not be made shows no issue, whatever its route is. */
export function useIsLongPage(): boolean {
  const isMade = !useRouteError();
  return useMatches().some(({ handle }) => isMade && handle === longPage);
}
