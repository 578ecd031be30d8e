import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("pages/home.tsx"),
  route("pricing", "pages/pricing.tsx"),

  route("use-cases", "pages/use-cases.tsx"),
  route("use-cases/leads", "pages/use-cases-leads.tsx"),
  route("use-cases/content-creation", "pages/use-cases-content-creation.tsx"),
  route("use-cases/social-media", "pages/use-cases-social-media.tsx"),
  route("use-cases/email-management", "pages/use-cases-email-management.tsx"),
  route("use-cases/client-management", "pages/use-cases-client-management.tsx"),
  route("use-cases/personal-assistants", "pages/use-cases-personal-assistants.tsx"),
  route("use-cases/specialized-agents", "pages/use-cases-specialized-agents.tsx"),
  route("use-cases/business-operations", "pages/use-cases-business-operations.tsx"),

  route("newsletter", "newsletter/archive/newsletter.tsx"),
  // Where links in mail lead; no screens of the site, and out of search engines.
  route("newsletter/confirm", "newsletter/mail-links/newsletter-confirm.tsx"),
  route("newsletter/unsubscribe", "newsletter/mail-links/newsletter-unsubscribe.tsx"),
  // Every issue, for people and search engines.
  route("newsletter/all", "newsletter/archive/newsletter-all.tsx"),
  route("newsletter/all/:year", "newsletter/archive/newsletter-year.tsx"),
  route("newsletter/:issueId", "newsletter/issue/newsletter-issue.tsx"),

  route("about", "pages/about.tsx"),
  route("contact", "pages/contact.tsx"),
  route("terms", "pages/terms.tsx"),
  route("privacy", "pages/privacy.tsx"),

  // What the site-wide search action promises; not among the specification's screens.
  route("search", "pages/search.tsx"),

  // Files for search engines, feed readers and phones.
  route("sitemap.xml", "pages/sitemap.ts"),
  route("robots.txt", "pages/robots.ts"),
  route("feed.xml", "newsletter/feeds/feeds-rss.ts"),
  route("atom.xml", "newsletter/feeds/feeds-atom.ts"),
  route("manifest.webmanifest", "pages/manifest.ts"),
  route("llms.txt", "pages/llms.ts"),
  route(".well-known/security.txt", "pages/security-txt.ts"),

  route("*", "pages/not-found.tsx"),
] satisfies RouteConfig;
