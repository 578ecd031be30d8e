import { pages } from "#pages.ts";

/** Every screen of the site: what is tested or pictured on all pages goes by this list. */
type TestedPage = { path: string; name: string; status: 200 | 404 };

const plainStates: TestedPage[] = pages
  .filter(({ path }) => !path.includes("."))
  .map(({ path, status }) => ({
    path: path.replace(":issueId", "1"),
    name: path.slice(1).replaceAll(/[/:]+/g, "-") || "home",
    status,
  }));

const otherStates: TestedPage[] = [
  { path: "/newsletter?issue=1", name: "newsletter-older-issue", status: 200 },
  { path: "/newsletter/999999", name: "newsletter-issue-not-found", status: 404 },
  { path: "/search?q=quote", name: "search-results", status: 200 },
  { path: "/search?q=zzzz", name: "search-without-results", status: 200 },
  { path: "/no-such-page", name: "not-found", status: 404 },
];

export const sitePages: readonly TestedPage[] = [...plainStates, ...otherStates];

/** A phone's and a desk's width, in CSS pixels: axe finds the same at every width in between. */
export const layoutsPx: readonly number[] = [390, 1440];

/** The browser and the page itself both log a 404. */
export const missingPageComplaint = /404/;
