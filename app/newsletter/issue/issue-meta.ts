import { newsletter } from "#content/pages/newsletter.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { pageMeta, pageSharePicture, sharePicturePath } from "../../seo/page-meta.ts";
import { articleStructuredData } from "../../seo/structured-data.ts";
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
  // Issues are published after the build, so they share the newsletter's picture.
  const picture = pageSharePicture(newsletter.head);
  const { description, datePublished } = page;
  const ending = ` | ${newsletter.name}`;
  return pageMeta(
    {
      title: `${cutAtWord(title, titleMaxLength - ending.length)}${ending}`,
      description,
      path,
      picture,
      article: { publishedAt: datePublished },
      structuredData: [
        articleStructuredData(
          {
            headline: title,
            description,
            datePublished,
            address: settings.url + path,
            image: settings.url + sharePicturePath(picture.slug),
          },
          settings,
        ),
      ],
    },
    settings,
  );
}
