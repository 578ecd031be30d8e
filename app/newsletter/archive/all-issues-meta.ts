import { allIssues as words } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { notFound } from "#content/pages/not-found.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { pageMeta, pageSharePicture } from "../../seo/page-meta.ts";
import type { AllIssues } from "./all-issues.ts";

const { head, name } = newsletter;

/** The head of the page of all issues and of a year's, whatever became of it. */
export function allIssuesMeta(all: AllIssues | undefined, settings: SiteSettings) {
  if (all?.state === "failed") return pageMeta({ ...head, noIndex: true }, settings);
  if (all?.state !== "found") {
    return pageMeta({ ...notFound.head, path: head.path, noIndex: true }, settings);
  }
  const picture = pageSharePicture(head);
  const { part } = all;
  if (!part) return pageMeta({ ...words.head, picture }, settings);
  const { year, page } = part;
  const isDated = year.label !== words.undated;
  return pageMeta(
    {
      title: `${headingOfYear(all)} | ${name}`,
      description: isDated
        ? `${words.yearDescription} ${year.label}${page > 1 ? `, ${words.pages.page.toLowerCase()} ${page}` : ""}.`
        : words.undatedDescription,
      path: page === 1 ? year.path : `${year.path}-${page}`,
      picture,
    },
    settings,
  );
}

/** `Issues of 2026`, and which page of them. */
export function headingOfYear(all: AllIssues): string {
  if (all.state !== "found" || !all.part) return words.heading;
  const { year, page } = all.part;
  const isDated = year.label !== words.undated;
  const heading = isDated ? `${words.year} ${year.label}` : `${words.undated} ${words.many}`;
  return page > 1 ? `${heading}, ${words.pages.page.toLowerCase()} ${page}` : heading;
}
