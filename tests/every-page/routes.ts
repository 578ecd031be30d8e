import { pages } from "#pages.ts";

/** Every screen of the site: what is tested or pictured on all pages goes by this list. */
type TestedPage = { path: string; name: string; status: 200 | 404 };

const plainStates: TestedPage[] = pages
  .filter(({ kind }) => kind === "page")
  .map(({ path, status }) => ({
    path: path.replace(":issueId", "1").replace(":year", "2026"),
    name: path.slice(1).replaceAll(/[/:]+/g, "-") || "home",
    status,
  }));

/** What else a page may show. */
const otherStates: TestedPage[] = [
  { path: "/newsletter?issue=1", name: "newsletter-older-issue", status: 200 },
  { path: "/newsletter/999999", name: "newsletter-issue-not-found", status: 404 },
  { path: "/search?q=quote", name: "search-results", status: 200 },
  { path: "/search?q=zzzz", name: "search-without-results", status: 200 },
  { path: "/no-such-page", name: "not-found", status: 404 },
];

export const sitePages: readonly TestedPage[] = [...plainStates, ...otherStates];

/** Where the layout is the phone's and where it is the desk's, in CSS pixels: what axe says differs by no more. */
export const layoutsPx: readonly number[] = [390, 1440];

/** What a browser says of a page whose status is 404, and what the page itself logs. */
export const missingPageComplaint = /404/;
