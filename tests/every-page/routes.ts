/** Every screen of the site, as an address asks for it: what is tested or pictured on all pages goes by this list. */
export type SitePage = { path: string; name: string; status: 200 | 404 };

export const sitePages: readonly SitePage[] = [
  { path: "/", name: "home", status: 200 },
  { path: "/pricing", name: "pricing", status: 200 },
  { path: "/use-cases", name: "use-cases", status: 200 },
  { path: "/use-cases/leads", name: "use-case-leads", status: 200 },
  { path: "/use-cases/content-creation", name: "use-case-content-creation", status: 200 },
  { path: "/use-cases/social-media", name: "use-case-social-media", status: 200 },
  { path: "/use-cases/email-management", name: "use-case-email-management", status: 200 },
  { path: "/use-cases/client-management", name: "use-case-client-management", status: 200 },
  { path: "/use-cases/personal-assistants", name: "use-case-personal-assistants", status: 200 },
  { path: "/use-cases/specialized-agents", name: "use-case-specialized-agents", status: 200 },
  { path: "/use-cases/business-operations", name: "use-case-business-operations", status: 200 },
  { path: "/newsletter", name: "newsletter", status: 200 },
  { path: "/newsletter?issue=1", name: "newsletter-older-issue", status: 200 },
  { path: "/newsletter/all", name: "all-issues", status: 200 },
  { path: "/newsletter/all/2026", name: "issues-of-a-year", status: 200 },
  { path: "/newsletter/1", name: "issue", status: 200 },
  { path: "/newsletter/999999", name: "issue-not-found", status: 404 },
  { path: "/newsletter/confirm", name: "confirm-without-token", status: 404 },
  { path: "/newsletter/unsubscribe", name: "unsubscribe-without-token", status: 404 },
  { path: "/about", name: "about", status: 200 },
  { path: "/contact", name: "contact", status: 200 },
  { path: "/terms", name: "terms", status: 200 },
  { path: "/privacy", name: "privacy", status: 200 },
  { path: "/search", name: "search", status: 200 },
  { path: "/search?q=quote", name: "search-results", status: 200 },
  { path: "/search?q=zzzz", name: "search-without-results", status: 200 },
  { path: "/no-such-page", name: "not-found", status: 404 },
];

/** A small screen, a tablet and a wide one, in CSS pixels. */
export const widthsPx = [390, 768, 1440] as const;

/** What a browser says of a page whose status is 404, and what the page itself logs. */
export const missingPageComplaint = /404/;
