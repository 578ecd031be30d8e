import type { MetaDescriptor, UIMatch } from "react-router";
import type { Thing } from "schema-dts";
import { named } from "#content/own-words.ts";
import { tagline } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { SiteFacts } from "../site-facts.ts";

/** The root loader's data, found among a page's matches. */
export function rootFacts(matches: readonly (Pick<UIMatch, "id" | "loaderData"> | undefined)[]) {
  const root = matches.find((match) => match?.id === "root");
  if (!root?.loaderData) throw new Error("A page's head is made without the root's facts.");
  return root.loaderData as SiteFacts;
}

/** The picture of a shared link: a file under public/share/, or an issue's own. */
type SharePicture = { path: string; alt: string };

/** The files under it are PNG of 1200 × 630 pixels, which sharing cards show uncropped. */
const shareFolder = "/share/";

/** For pages without their own: errors, search results, links in mail. */
export const siteSharePicture: SharePicture = { path: `${shareFolder}site.png`, alt: tagline };

export function pageSharePicture({ path, title }: { path: string; title: string }): SharePicture {
  const name = path.slice(1).replaceAll("/", "-") || "home";
  return {
    path: `${shareFolder}${name}.png`,
    alt: `“${title}” above a chalk line on squared paper`,
  };
}

/** Without `@context`, which is added on output. */
type StructuredData = Exclude<Thing, string>;

type PageMeta = {
  /** 15 to 60 characters, without the firm's name. */
  title: string;
  /** 70 to 160 characters. */
  description: string;
  path: string;
  /** The page with the same words that search engines shall show in its place. */
  canonicalPath?: string;
  keywords?: readonly string[];
  /** For error pages, 'Coming Soon', search results and links in mail. */
  noIndex?: boolean;
  /** Replaces the page's own. */
  picture?: SharePicture;
  /** For an issue: its dates (ISO 8601), if known. */
  article?: { publishedAt: string | null; modifiedAt: string | null };
  /** In addition to the site's own. */
  structuredData?: readonly StructuredData[];
};

export function pageMeta(given: PageMeta, settings: SiteSettings): MetaDescriptor[] {
  // An issue's own words are nobody's to change.
  const page = given.article ? given : named(settings, given);
  const address = settings.url + page.path;
  return [
    { title: `${page.title} | ${settings.name}` },
    { name: "description", content: page.description },
    ...(page.keywords ? [{ name: "keywords", content: page.keywords.join(", ") }] : []),
    ...(page.noIndex
      ? [{ name: "robots", content: "noindex" }]
      : [
          {
            tagName: "link",
            rel: "canonical",
            href: settings.url + (page.canonicalPath ?? page.path),
          },
        ]),
    ...sharingCards(page, address, settings),
    ...(page.structuredData ?? []).map((data) => ({
      "script:ld+json": withContext(data, address),
    })),
  ] as MetaDescriptor[];
}

/** The `meta` of a route whose head depends on the settings alone. */
export function metaOf(page: PageMeta | ((settings: SiteSettings) => PageMeta)) {
  return function meta({ matches }: { matches: Parameters<typeof rootFacts>[0] }) {
    const { settings } = rootFacts(matches);
    return pageMeta(typeof page === "function" ? page(settings) : page, settings);
  };
}

/** Open Graph (ogp.me), which X and Slack read too. */
function sharingCards(page: PageMeta, address: string, settings: SiteSettings): MetaDescriptor[] {
  const picture = page.picture ?? (page.noIndex ? siteSharePicture : pageSharePicture(page));
  const image = settings.url + picture.path;
  const { publishedAt, modifiedAt } = page.article ?? {};
  return [
    { property: "og:type", content: page.article ? "article" : "website" },
    ...(publishedAt ? [{ property: "article:published_time", content: publishedAt }] : []),
    ...(modifiedAt ? [{ property: "article:modified_time", content: modifiedAt }] : []),
    { property: "og:site_name", content: settings.name },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: address },
    { property: "og:locale", content: "en_CA" },
    { property: "og:image", content: image },
    ...(picture.path.startsWith(shareFolder)
      ? [
          { property: "og:image:type", content: "image/png" },
          { property: "og:image:width", content: "1200" },
          { property: "og:image:height", content: "630" },
        ]
      : []),
    { property: "og:image:alt", content: picture.alt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: page.title },
    { name: "twitter:description", content: page.description },
    { name: "twitter:image", content: image },
    { name: "twitter:image:alt", content: picture.alt },
  ];
}

/** Adds an id made of the page's address and the type, unless the node has one that others refer to. */
function withContext(data: StructuredData, address: string) {
  const type = "@type" in data ? String(data["@type"]).toLowerCase() : "data";
  return { "@context": "https://schema.org", "@id": `${address}#${type}`, ...data };
}
