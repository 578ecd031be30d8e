/**
 * The one table of pages. The router's routes (app/routes.ts), what is cached and for how long (server/page-cache.ts), the
 * sitemap and the tests' list of pages are made from it: a new page is a row here and its module in app/.
 */
export type SitePage = {
  /** In lower case, with `:name` for a part that varies. The log names the page by it. */
  readonly path: string;
  readonly file: string;
  /** The form of the part of the path, or of the query's parameter, that varies. Any other value is a missing page. */
  readonly varies?: {
    readonly by: "path" | "query";
    readonly parameter: string;
    readonly form: RegExp;
  };
  /** Parameters of the query with which the answer is somebody's own: it is never cached. */
  readonly ownParameters?: readonly string[];
  /** The status of the plain address, without the part that varies. */
  readonly status: 200 | 404;
  /** It is made anew when an issue changes. Every page is when the day changes in Toronto. */
  readonly showsIssues: boolean;
  /** It shows an issue's body, whose email layout needs style attributes. */
  readonly showsIssueBody: boolean;
  readonly takesForms: boolean;
  readonly isInSitemap: boolean;
};

/** Digits without a sign or a leading zero, so that an issue has one address. */
const issueId = /^[1-9]\d{0,15}$/;

const withIssues = { showsIssues: true } as const;
const hidden = { isInSitemap: false } as const;
const mailLink = {
  ownParameters: ["token"],
  status: 404,
  takesForms: true,
  isInSitemap: false,
} as const;

export const pages: readonly SitePage[] = [
  page("/", "pages/home.tsx"),
  page("/pricing", "pages/pricing.tsx"),
  // Not among the specification's screens: an audit to read before one is priced.
  page("/sample-audit", "sample-audit/sample-audit.tsx"),

  page("/use-cases", "pages/use-cases.tsx"),
  page("/use-cases/leads", "pages/use-cases-leads.tsx"),
  page("/use-cases/content-creation", "pages/use-cases-content-creation.tsx"),
  page("/use-cases/social-media", "pages/use-cases-social-media.tsx"),
  page("/use-cases/email-management", "pages/use-cases-email-management.tsx"),
  page("/use-cases/client-management", "pages/use-cases-client-management.tsx"),
  page("/use-cases/personal-assistants", "pages/use-cases-personal-assistants.tsx", hidden),
  page("/use-cases/specialized-agents", "pages/use-cases-specialized-agents.tsx"),
  page("/use-cases/business-operations", "pages/use-cases-business-operations.tsx"),

  page("/newsletter", "newsletter/newsletter.tsx", {
    ...withIssues,
    varies: { by: "query", parameter: "issue", form: issueId },
    showsIssueBody: true,
    takesForms: true,
  }),
  // The links in mail.
  page("/newsletter/confirm", "newsletter/mail-link.tsx", mailLink),
  page("/newsletter/unsubscribe", "newsletter/mail-link.tsx", mailLink),
  // Every issue, for people and search engines.
  page("/newsletter/all", "newsletter/newsletter-all.tsx", withIssues),
  page("/newsletter/:issueId", "newsletter/newsletter-issue.tsx", {
    ...withIssues,
    ...hidden,
    varies: { by: "path", parameter: "issueId", form: issueId },
    showsIssueBody: true,
  }),

  page("/about", "pages/about.tsx"),
  page("/contact", "pages/contact.tsx", { ownParameters: ["sheet"], takesForms: true }),
  page("/terms", "pages/terms.tsx"),
  page("/privacy", "pages/privacy.tsx"),

  // The structured data of every page promises this search; it is not among the specification's screens.
  page("/search", "pages/search.tsx", { ...hidden, ownParameters: ["q"] }),

  // Files for search engines, feed readers and phones.
  file("/sitemap.xml", "pages/site-files.ts", withIssues),
  file("/robots.txt", "pages/site-files.ts"),
  file("/feed.xml", "newsletter/feed.ts", withIssues),
  file("/manifest.webmanifest", "pages/site-files.ts"),
  file("/.well-known/security.txt", "pages/site-files.ts"),
];

export const missingPage: SitePage = page("*", "pages/not-found.tsx", { ...hidden, status: 404 });

function page(path: string, file: string, other: Partial<SitePage> = {}): SitePage {
  return {
    path,
    file,
    status: 200,
    showsIssues: false,
    showsIssueBody: false,
    takesForms: false,
    isInSitemap: true,
    ...other,
  };
}

function file(path: string, module: string, other: Partial<SitePage> = {}): SitePage {
  return page(path, module, { ...hidden, ...other });
}
