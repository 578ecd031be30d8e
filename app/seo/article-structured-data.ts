import type { ArticleLeaf } from "schema-dts";
import { newsletterName } from "#content/site.ts";
import { languageTag } from "#content/site-language.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { businessId } from "./business-structured-data.ts";

type Article = {
  headline: string;
  description: string;
  /** ISO 8601, where it is known. When an issue was last changed is not known, so nothing says so. */
  datePublished: string | null;
  address: string;
  /** Address of the picture that is shown with it. */
  image: string;
};

/** An issue of the newsletter. Its author is the firm, since an issue names no person. */
export function articleStructuredData(
  { headline, description, datePublished, address, image }: Article,
  settings: SiteSettings,
): ArticleLeaf {
  const firm = {
    "@type": "Organization",
    "@id": businessId(settings),
    name: settings.name,
    url: settings.url,
  } as const;
  return {
    "@type": "Article",
    headline,
    description,
    url: address,
    image,
    ...(datePublished ? { datePublished } : {}),
    inLanguage: languageTag,
    author: firm,
    publisher: firm,
    mainEntityOfPage: { "@type": "WebPage", "@id": address },
    isPartOf: { "@type": "Periodical", name: newsletterName },
  };
}
