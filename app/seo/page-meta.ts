import type { MetaDescriptor, UIMatch } from "react-router";
import type {
  ArticleLeaf,
  BreadcrumbListLeaf,
  FAQPageLeaf,
  SearchActionLeaf,
  ServiceLeaf,
  Thing,
  WebSiteLeaf,
  WithActionConstraints,
} from "schema-dts";
import { business } from "#content/business.ts";
import { hours } from "#content/hours.ts";
import { named, nameOfNewsletter, ownWords, pageWords } from "#content/own-words.ts";
import { footer, languageTag, tagline } from "#content/site.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import type { Crumb, Question } from "../sections/page-sections.tsx";
import type { SiteFacts } from "../site-facts.ts";

export function rootFacts(matches: readonly (Pick<UIMatch, "id" | "loaderData"> | undefined)[]) {
  const root = matches.find((match) => match?.id === "root");
  if (!root?.loaderData) throw new Error("A page's head is made without the root's facts.");
  return root.loaderData as SiteFacts;
}

/** Under public/share/, or an issue's own. */
type SharePicture = { path: string; alt: string };

/** 1200 × 630 pixels, shown uncropped. */
const shareFolder = "/share/";

/** For pages without their own. */
export const siteSharePicture: SharePicture = { path: `${shareFolder}site.png`, alt: tagline };

export function pageSharePicture({ path, title }: { path: string; title: string }): SharePicture {
  const name = path.slice(1).replaceAll("/", "-") || "home";
  return {
    path: `${shareFolder}${name}.png`,
    alt: `“${title}” above a chalk line on squared paper`,
  };
}

type StructuredData = Exclude<Thing, string>;

type PageMeta = {
  /** 15 to 60 characters, without the firm's name. */
  title: string;
  /** 70 to 160 characters. */
  description: string;
  path: string;
  /** A page with the same words. */
  canonicalPath?: string;
  keywords?: readonly string[];
  noIndex?: boolean;
  picture?: SharePicture;
  /** ISO 8601, if known. */
  article?: { publishedAt: string | null; modifiedAt: string | null };
  structuredData?: readonly StructuredData[];
};

export function pageMeta(given: PageMeta, settings: SiteSettings): MetaDescriptor[] {
  // An issue's head keeps the issue's own words.
  const page = given.article ? given : named(settings, withOwnHead(given, settings));
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

/** The shared picture keeps the title drawn in it. */
function withOwnHead(page: PageMeta, settings: SiteSettings): PageMeta {
  const { path, title, description } = page;
  const own = pageWords(settings, { head: { path, title, description } }).head;
  return { ...page, ...own, picture: pictureOf(page) };
}

export function metaOf(page: PageMeta | ((settings: SiteSettings) => PageMeta)) {
  return function meta({ matches }: { matches: Parameters<typeof rootFacts>[0] }) {
    const { settings } = rootFacts(matches);
    return pageMeta(typeof page === "function" ? page(settings) : page, settings);
  };
}

function pictureOf(page: PageMeta): SharePicture {
  return page.picture ?? (page.noIndex ? siteSharePicture : pageSharePicture(page));
}

/** Open Graph (ogp.me), which X and Slack read too. */
function sharingCards(page: PageMeta, address: string, settings: SiteSettings): MetaDescriptor[] {
  const picture = pictureOf(page);
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

/** Unless others refer to the node's own id. */
function withContext(data: StructuredData, address: string) {
  const type = "@type" in data ? String(data["@type"]).toLowerCase() : "data";
  return { "@context": "https://schema.org", "@id": `${address}#${type}`, ...data };
}

function businessId(settings: SiteSettings): string {
  return `${settings.url}/#business`;
}

/** On every page (specification, section 2). */
export function websiteStructuredData(settings: SiteSettings): WebSiteLeaf {
  const search: WithActionConstraints<SearchActionLeaf> = {
    "@type": "SearchAction",
    target: { "@type": "EntryPoint", urlTemplate: `${settings.url}/search?q={term}` },
    "query-input": "required name=term",
  };
  return {
    "@type": "WebSite",
    "@id": `${settings.url}/#website`,
    name: settings.name,
    url: `${settings.url}/`,
    inLanguage: languageTag,
    publisher: { "@id": businessId(settings) },
    potentialAction: search,
  };
}

/** On every page (specification, section 3). */
export function businessStructuredData(settings: SiteSettings) {
  const { locality, serviceArea, services } = business;
  const { days, opens, closes } = ownWords(settings, "hours", hours);
  return {
    "@type": ["Organization", "ProfessionalService"],
    "@id": businessId(settings),
    ...contactFacts(settings),
    description: ownWords(settings, "footer", footer).description,
    image: settings.url + siteSharePicture.path,
    logo: settings.url + (settings.logo ?? "/icon-512.png"),
    email: settings.email,
    areaServed: [
      { "@type": "City", name: locality },
      { "@type": "AdministrativeArea", name: serviceArea },
    ],
    openingHoursSpecification: {
      "@type": "OpeningHoursSpecification",
      dayOfWeek: [...days],
      opens,
      closes,
    },
    hasOfferCatalog: {
      "@type": "OfferCatalog",
      name: services.name,
      itemListElement: services.items.map(({ name, priceCad }) => ({
        "@type": "Offer",
        itemOffered: { "@type": "Service", name },
        ...(priceCad === null ? {} : { price: priceCad, priceCurrency: "CAD" }),
      })),
    },
    ...(settings.profileUrl && { sameAs: [settings.profileUrl] }),
  };
}

function contactFacts(settings: SiteSettings) {
  return {
    name: settings.name,
    url: settings.url,
    ...(settings.phone && { telephone: settings.phone }),
    address: {
      "@type": "PostalAddress",
      ...(settings.street && { streetAddress: settings.street, postalCode: settings.postalCode }),
      addressLocality: business.locality,
      addressRegion: business.region,
      addressCountry: business.country,
    },
  } as const;
}

type Article = {
  headline: string;
  description: string;
  /** ISO 8601, if known. */
  datePublished: string | null;
  dateModified: string | null;
  address: string;
  image: string;
};

/** An issue names no person, so the firm is its author. */
export function articleStructuredData(
  { headline, description, datePublished, dateModified, address, image }: Article,
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
    ...(dateModified ? { dateModified } : {}),
    inLanguage: languageTag,
    author: firm,
    publisher: firm,
    mainEntityOfPage: { "@type": "WebPage", "@id": address },
    isPartOf: { "@type": "Periodical", name: nameOfNewsletter(settings) },
  };
}

export function breadcrumbStructuredData(
  crumbs: readonly Crumb[],
  siteUrl: string,
): BreadcrumbListLeaf {
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: siteUrl + path,
    })),
  };
}

export function faqStructuredData(questions: readonly Question[]): FAQPageLeaf {
  return {
    "@type": "FAQPage",
    mainEntity: questions.map(({ question, answer }) => ({
      "@type": "Question",
      name: withPlainSpaces(question),
      acceptedAnswer: { "@type": "Answer", text: withPlainSpaces(answer) },
    })),
  };
}

function withPlainSpaces(words: string): string {
  return words.replaceAll("\u00a0", " ");
}

/** Specification, section 3. */
export function serviceStructuredData(
  service: { name: string; description: string },
  settings: SiteSettings,
): ServiceLeaf {
  return {
    "@type": "Service",
    name: service.name,
    description: service.description,
    provider: {
      "@type": "LocalBusiness",
      "@id": businessId(settings),
      ...contactFacts(settings),
    },
    areaServed: { "@type": "AdministrativeArea", name: business.serviceArea },
  };
}
