import type { MetaDescriptor, UIMatch } from "react-router";
import type { Thing } from "schema-dts";
import { tagline } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { SiteFacts } from "../site-facts.ts";

/** The root loader's facts, as a page's `meta` finds them among its matches. */
export function rootFacts(matches: readonly (Pick<UIMatch, "id" | "loaderData"> | undefined)[]) {
  const root = matches.find((match) => match?.id === "root");
  if (!root?.loaderData) throw new Error("A page's head is made without the root's facts.");
  return root.loaderData as SiteFacts;
}

/** What a shared link shows: a file under public/share/ with the page's title, 1200 × 630 pixels. */
type SharePicture = {
  /** Names the file: `/share/<slug>.png`. */
  slug: string;
  /** The words in the picture. */
  alt: string;
};

/** In pixels; what sharing cards show uncropped. */
const sharePictureSize = { width: 1200, height: 630 };

/** For addresses that have no picture of their own: error pages, search results, links in mail. */
export const siteSharePicture: SharePicture = { slug: "site", alt: tagline };

/** The picture of a page of the site. */
export function pageSharePicture(head: { path: string; title: string }): SharePicture {
  return { slug: head.path.slice(1).replaceAll("/", "-") || "home", alt: head.title };
}

/** Its address: `/share/<slug>.png`. */
export function sharePicturePath(slug: string): string {
  return `/share/${slug}.png`;
}

/** A schema.org object; `@context` is added where it is written. */
type StructuredData = Exclude<Thing, string>;

type PageMeta = {
  /** 15 to 60 characters; the firm's name is part of it where it helps. */
  title: string;
  /** 70 to 160 characters. */
  description: string;
  /** From the root: `/pricing`. */
  path: string;
  keywords?: readonly string[];
  /** Kept out of search engines: error pages, 'Coming Soon', mail links. */
  noIndex?: boolean;
  /** In place of the page's own. */
  picture?: SharePicture;
  /** For an issue of the newsletter: when it was published (ISO 8601), where that is known. */
  article?: { publishedAt: string | null };
  /** Structured data of the page, beside that of the whole site. */
  structuredData?: readonly StructuredData[];
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
    ...sharingCards(page, address, settings),
    ...(page.structuredData ?? []).map((data) => ({
      "script:ld+json": withContext(data, address),
    })),
  ] as MetaDescriptor[];
}

/** Open Graph (ogp.me), and what X and Slack read beside it. */
function sharingCards(page: PageMeta, address: string, settings: SiteSettings): MetaDescriptor[] {
  const picture = page.picture ?? (page.noIndex ? siteSharePicture : pageSharePicture(page));
  const image = settings.url + sharePicturePath(picture.slug);
  const { publishedAt } = page.article ?? {};
  return [
    { property: "og:type", content: page.article ? "article" : "website" },
    ...(publishedAt ? [{ property: "article:published_time", content: publishedAt }] : []),
    { property: "og:site_name", content: settings.name },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: address },
    { property: "og:locale", content: "en_CA" },
    { property: "og:image", content: image },
    { property: "og:image:type", content: "image/png" },
    { property: "og:image:width", content: String(sharePictureSize.width) },
    { property: "og:image:height", content: String(sharePictureSize.height) },
    { property: "og:image:alt", content: picture.alt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: page.title },
    { name: "twitter:description", content: page.description },
    { name: "twitter:image", content: image },
    { name: "twitter:image:alt", content: picture.alt },
  ];
}

/** A node of a page is named by the page's address and its type, unless it has a name that other nodes use. */
function withContext(data: StructuredData, address: string) {
  const type = "@type" in data ? String(data["@type"]).toLowerCase() : "data";
  return { "@context": "https://schema.org", "@id": `${address}#${type}`, ...data };
}
