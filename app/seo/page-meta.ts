import type { MetaDescriptor } from "react-router";
import type { SiteSettings } from "#contracts/site-settings.ts";

export type PageMeta = {
  /** 15 to 60 characters; the firm's name is part of it where it helps. */
  title: string;
  /** 70 to 160 characters. */
  description: string;
  /** From the root: `/pricing`. */
  path: string;
  keywords?: readonly string[];
  /** Kept out of search engines: error pages, 'Coming Soon', mail links. */
  noIndex?: boolean;
  /** Structured data of the page, schema.org objects without `@context`. */
  structuredData?: readonly Record<string, unknown>[];
};

/** The head of a page: title, description, canonical address, sharing cards and structured data. */
export function pageMeta(page: PageMeta, settings: SiteSettings): MetaDescriptor[] {
  const address = settings.url + page.path;
  return [
    { title: page.title },
    { name: "description", content: page.description },
    ...(page.keywords ? [{ name: "keywords", content: page.keywords.join(", ") }] : []),
    ...(page.noIndex
      ? [{ name: "robots", content: "noindex" }]
      : [{ tagName: "link", rel: "canonical", href: address }]),
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: settings.name },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: address },
    { property: "og:locale", content: "en_CA" },
    { name: "twitter:card", content: "summary_large_image" },
    ...(page.structuredData ?? []).map((data) => ({
      "script:ld+json": { "@context": "https://schema.org", ...data },
    })),
  ] as MetaDescriptor[];
}
