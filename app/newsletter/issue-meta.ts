import { newsletter } from "#content/pages/newsletter.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { cutAtWord } from "./cut-at-word.ts";
import type { IssuePage } from "./issue-page.ts";

const titleMaxLength = 60;

/** The head of an issue's page, whatever became of it. */
export function issueMeta(page: IssuePage | undefined, settings: SiteSettings) {
  if (page?.state === "failed") {
    return pageMeta({ ...newsletter.head, noIndex: true }, settings);
  }
  if (page?.state !== "found") {
    return pageMeta(
      { ...newsletter.notFound.head, path: newsletter.head.path, noIndex: true },
      settings,
    );
  }
  const path = `${newsletter.head.path}/${page.issue.id}`;
  const { title } = page.issue;
  const ending = ` | ${newsletter.name}`;
  return pageMeta(
    {
      title: `${cutAtWord(title, titleMaxLength - ending.length)}${ending}`,
      description: page.description,
      path,
      structuredData: [article(page, settings, settings.url + path)],
    },
    settings,
  );
}

/** What schema.org asks of an article; the author is the firm, since an issue names no person. */
function article(
  { issue, datePublished, description }: Extract<IssuePage, { state: "found" }>,
  settings: SiteSettings,
  address: string,
) {
  const firm = { "@type": "Organization", name: settings.name, url: settings.url };
  return {
    "@type": "Article",
    headline: issue.title,
    description,
    ...(datePublished ? { datePublished } : {}),
    author: firm,
    publisher: firm,
    mainEntityOfPage: address,
    isPartOf: { "@type": "Periodical", name: newsletter.name },
  };
}
