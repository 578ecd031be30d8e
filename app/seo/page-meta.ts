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
type SharePicture = {
  path: string;
  alt: string;
  type: string;
  width: number;
  height: number;
};

/** Shown uncropped. */
const share = { type: "image/png", width: 1200, height: 630 };

/** For pages without their own. */
export const siteSharePicture: SharePicture = { ...share, path: "/share/site.png", alt: tagline };

export function pageSharePicture({ path, title }: { path: string; title: string }): SharePicture {
  const name = path.slice(1).replaceAll("/", "-") || "home";
  return {
    ...share,
    path: `/share/${name}.png`,
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
  const { path, title, description } = given;
  // The picture keeps the usual title, which is drawn in it.
  const picture = given.picture ?? (given.noIndex ? siteSharePicture : pageSharePicture(given));
  const own = pageWords(settings, { head: { path, title, description } }).head;
  // An issue's head keeps the issue's own words.
  const page = given.article
    ? { ...given, picture }
    : named(settings, { ...given, ...own, picture });
  const address = settings.url + path;
  const canonical = settings.url + (page.canonicalPath ?? path);
  return [
    { title: `${page.title} | ${settings.name}` },
    { name: "description", content: page.description },
    ...(page.keywords ? [{ name: "keywords", content: page.keywords.join(", ") }] : []),
    page.noIndex
      ? { name: "robots", content: "noindex" }
      : { tagName: "link", rel: "canonical", href: canonical },
    ...sharingCards(page, address, settings),
    ...(page.structuredData ?? []).map((data) => ({
      "script:ld+json": withContext(data, address),
    })),
  ] as MetaDescriptor[];
}

export function metaOf(page: PageMeta | ((settings: SiteSettings) => PageMeta)) {
  return function meta({ matches }: { matches: Parameters<typeof rootFacts>[0] }) {
    const { settings } = rootFacts(matches);
    return pageMeta(typeof page === "function" ? page(settings) : page, settings);
  };
}

/** Open Graph (ogp.me). X and Slack read it too; only X's kind of card has a name of its own. */
function sharingCards(
  { title, description, picture, article }: PageMeta & { picture: SharePicture },
  address: string,
  settings: SiteSettings,
): MetaDescriptor[] {
  const { publishedAt, modifiedAt } = article ?? {};
  return [
    { property: "og:type", content: article ? "article" : "website" },
    ...(publishedAt ? [{ property: "article:published_time", content: publishedAt }] : []),
    ...(modifiedAt ? [{ property: "article:modified_time", content: modifiedAt }] : []),
    { property: "og:site_name", content: settings.name },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: address },
    { property: "og:locale", content: "en_CA" },
    { property: "og:image", content: settings.url + picture.path },
    { property: "og:image:type", content: picture.type },
    { property: "og:image:width", content: String(picture.width) },
    { property: "og:image:height", content: String(picture.height) },
    { property: "og:image:alt", content: picture.alt },
    { name: "twitter:card", content: "summary_large_image" },
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

/** An issue names no person, so the firm is its author. */
export function articleStructuredData(
  headline: string,
  { description, path, picture = siteSharePicture, article }: PageMeta,
  settings: SiteSettings,
): ArticleLeaf {
  const address = settings.url + path;
  const { publishedAt, modifiedAt } = article ?? {};
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
    image: settings.url + picture.path,
    ...(publishedAt && { datePublished: publishedAt }),
    ...(modifiedAt && { dateModified: modifiedAt }),
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
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}

/** Specification, section 3. */
export function serviceStructuredData(
  { name, description }: { name: string; description: string },
  settings: SiteSettings,
): ServiceLeaf {
  const firm = { "@id": businessId(settings), ...contactFacts(settings) };
  return {
    "@type": "Service",
    name,
    description,
    provider: { "@type": "LocalBusiness", ...firm },
    areaServed: { "@type": "AdministrativeArea", name: business.serviceArea },
  };
}
