/** What stands at an address, and how its answers are treated: one row for each row of app/routes.ts. */
export type PagePolicy = {
  /** The canonical form, in lower case, with `:name` for a part that varies. The log knows the page by it. */
  readonly path: string;
  /** The router's own name for it. */
  readonly routeId: string;
  /** A page has data of its own for the router in the browser; a file has none. */
  readonly kind: "page" | "file";
  /** What a part of the path or a parameter of the query that varies may say. Anything else is what doesn't exist. */
  readonly varies?: {
    readonly parameter: string;
    readonly by: "path" | "query";
    readonly form: RegExp;
  };
  /** The query's parameters, beside that, with which the answer is somebody's own and is never kept. */
  readonly ownParameters?: readonly string[];
  /** For how long a made answer is given before it is made anew, in milliseconds. A new day ends it in any case. */
  readonly ttlMs: number;
  /** What the plain address answers with. */
  readonly status: 200 | 404;
  /** Whether a published or removed issue changes it. */
  readonly showsIssues: boolean;
  /** Whether it shows an issue's body, whose email layout needs style attributes. */
  readonly showsIssueBody: boolean;
  /** Whether forms are posted to it. */
  readonly takesForms: boolean;
  /** Whether search engines are told of it. */
  readonly isInSitemap: boolean;
};

const minuteMs = 60_000;

/** Nothing on them changes but with the day. */
const marketingTtlMs = 10 * minuteMs;
/** A published issue is to be seen everywhere within two seconds. */
const issuesTtlMs = 1_000;
const missingTtlMs = 24 * 60 * minuteMs;

/** An id that an issue can have: digits without a sign and without a leading zero, so that an issue has one address. */
const issueId = /^[1-9]\d{0,15}$/;

/** A year of issues, or those without a date, and the second or a later part of many. */
const issueYear = /^(?:\d{4}|undated)(?:-(?:[2-9]|[1-9]\d{1,3}))?$/;

/** `routeId` is a page's file in `app/pages/`, or a file of a room of its own such as `newsletter/feeds/feeds-rss`. */
function page(path: string, routeId: string, other: Partial<PagePolicy> = {}): PagePolicy {
  return {
    path,
    routeId: routeId.includes("/") ? routeId : `pages/${routeId}`,
    kind: "page",
    ttlMs: marketingTtlMs,
    status: 200,
    showsIssues: false,
    showsIssueBody: false,
    takesForms: false,
    isInSitemap: true,
    ...other,
  };
}

function file(path: string, routeId: string, other: Partial<PagePolicy> = {}): PagePolicy {
  return page(path, routeId, { kind: "file", isInSitemap: false, ...other });
}

const withIssues = { ttlMs: issuesTtlMs, showsIssues: true } as const;
const mailLink = {
  ownParameters: ["token"],
  status: 404,
  takesForms: true,
  isInSitemap: false,
} as const;

/** Every address of the site, in the order of app/routes.ts, which a test holds to it. */
export const pagePolicies: readonly PagePolicy[] = [
  page("/", "home"),
  page("/pricing", "pricing"),

  page("/use-cases", "use-cases"),
  page("/use-cases/leads", "use-cases-leads"),
  page("/use-cases/content-creation", "use-cases-content-creation"),
  page("/use-cases/social-media", "use-cases-social-media"),
  page("/use-cases/email-management", "use-cases-email-management"),
  page("/use-cases/client-management", "use-cases-client-management"),
  page("/use-cases/personal-assistants", "use-cases-personal-assistants", { isInSitemap: false }),
  page("/use-cases/specialized-agents", "use-cases-specialized-agents"),
  page("/use-cases/business-operations", "use-cases-business-operations"),

  page("/newsletter", "newsletter/archive/newsletter", {
    ...withIssues,
    varies: { parameter: "issue", by: "query", form: issueId },
    showsIssueBody: true,
    takesForms: true,
  }),
  page("/newsletter/confirm", "newsletter/mail-links/newsletter-confirm", mailLink),
  page("/newsletter/unsubscribe", "newsletter/mail-links/newsletter-unsubscribe", mailLink),
  page("/newsletter/all", "newsletter/archive/newsletter-all", {
    ...withIssues,
    isInSitemap: false,
  }),
  page("/newsletter/all/:year", "newsletter/archive/newsletter-year", {
    ...withIssues,
    varies: { parameter: "year", by: "path", form: issueYear },
    isInSitemap: false,
  }),
  page("/newsletter/:issueId", "newsletter/issue/newsletter-issue", {
    ...withIssues,
    varies: { parameter: "issueId", by: "path", form: issueId },
    showsIssueBody: true,
    isInSitemap: false,
  }),

  page("/about", "about"),
  page("/contact", "contact", { ownParameters: ["sheet", "sum"], takesForms: true }),
  page("/terms", "terms"),
  page("/privacy", "privacy"),

  page("/search", "search", { ownParameters: ["q"], isInSitemap: false }),

  file("/sitemap.xml", "sitemap", withIssues),
  file("/robots.txt", "robots"),
  file("/feed.xml", "newsletter/feeds/feeds-rss", withIssues),
  file("/atom.xml", "newsletter/feeds/feeds-atom", withIssues),
  file("/manifest.webmanifest", "manifest"),
  file("/llms.txt", "llms"),
  file("/.well-known/security.txt", "security-txt"),
];

/** Whatever has no row above. */
export const missingPage: PagePolicy = page("*", "not-found", {
  ttlMs: missingTtlMs,
  status: 404,
  isInSitemap: false,
});
