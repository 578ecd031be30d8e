import { about, contact } from "./checklist-about-and-contact.ts";
import { businessDescription, everyPage } from "./checklist-every-page.ts";
import { home, pricing } from "./checklist-home-and-pricing.ts";
import { notFound, privacy, terms } from "./checklist-legal-and-not-found.ts";
import {
  malformedIssue,
  missingIssue,
  newsletter,
  newsletterIssue,
} from "./checklist-newsletter.ts";
import { useCases, writtenUseCases } from "./checklist-use-cases.ts";
import type { Page } from "./expectations.ts";

const screens = [
  home,
  pricing,
  useCases,
  ...writtenUseCases,
  newsletter,
  newsletterIssue,
  missingIssue,
  malformedIssue,
  about,
  contact,
  terms,
  privacy,
  notFound,
];

/**
 * The specification's demands on each screen, sentence by sentence. tests/error-catalogue.spec.ts covers
 * notices and error texts (section 8), the forms' specs the calls (section 7).
 */
export const checklist: readonly Page[] = screens.map((page) => ({
  ...page,
  rows: [...page.rows, ...(page === home ? businessDescription : []), ...everyPage],
}));
