import { about } from "./pages/about.ts";
import { contact } from "./pages/contact.ts";
import { home } from "./pages/home.ts";
import { newsletter } from "./pages/newsletter.ts";
import { pricing } from "./pages/pricing.ts";
import { privacy } from "./pages/privacy.ts";
import { terms } from "./pages/terms.ts";
import { useCases } from "./pages/use-cases.ts";
import { sampleAudit } from "./sample-audit.ts";
import { footer, navigation, type PageHead } from "./site.ts";
import { businessOperations } from "./use-cases/business-operations.ts";
import { clientManagement } from "./use-cases/client-management.ts";
import { contentCreation } from "./use-cases/content-creation.ts";
import { emailManagement } from "./use-cases/email-management.ts";
import { leads } from "./use-cases/leads.ts";
import { socialMedia } from "./use-cases/social-media.ts";
import { specializedAgents } from "./use-cases/specialized-agents.ts";

/** The written use cases; 'Coming Soon' isn't among them. */
export const useCasePages = [
  leads,
  contentCreation,
  socialMedia,
  emailManagement,
  clientManagement,
  specializedAgents,
  businessOperations,
];

export type SitePage = { head: PageHead };

/**
 * Every page that search engines and the site's search may find, in the order of the routes. 'Coming Soon', links in
 * mail and error pages are left out; issues come from the database.
 */
export const sitePages: readonly SitePage[] = [
  home,
  pricing,
  sampleAudit,
  useCases,
  ...useCasePages,
  newsletter,
  about,
  contact,
  terms,
  privacy,
];

/** `2 of 16`, for a page of the set. */
export function sheetNumber(path: string): string | null {
  const index = sitePages.findIndex(({ head }) => head.path === path);
  return index < 0 ? null : `${index + 1} of ${sitePages.length}`;
}

const labels = new Map<string, string>([
  ...[...navigation, ...footer.legal].map(({ path, label }) => [path, label] as const),
  ...useCasePages.map(({ head, name }) => [head.path, name] as const),
  [sampleAudit.head.path, sampleAudit.name],
]);

export function pageName({ head }: SitePage): string {
  return labels.get(head.path) ?? head.title;
}
