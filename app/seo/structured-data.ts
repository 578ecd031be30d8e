import type {
  ArticleLeaf,
  BreadcrumbListLeaf,
  FAQPageLeaf,
  SearchActionLeaf,
  ServiceLeaf,
  WebSiteLeaf,
  WithActionConstraints,
} from "schema-dts";
import { business } from "#content/business.ts";
import { hours } from "#content/hours.ts";
import { nameOfNewsletter, ownWords } from "#content/own-words.ts";
import { footer, languageTag } from "#content/site.ts";
import { iconPath } from "#contracts/icons.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { Crumb, Question } from "../sections/page-sections.tsx";
import { siteSharePicture } from "./page-meta.ts";

function businessId(settings: SiteSettings): string {
  return `${settings.url}/#business`;
}

/** The website with its search, and the firm, on every page (specification, section 2). */
export function siteStructuredData(settings: SiteSettings) {
  return [websiteStructuredData(settings), businessStructuredData(settings)];
}

function websiteStructuredData(settings: SiteSettings): WebSiteLeaf {
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

/** The firm, as one node on every page (specification, section 3). */
function businessStructuredData(settings: SiteSettings) {
  const { locality, serviceArea, services } = business;
  const { days, opens, closes } = ownWords(settings, "hours", hours);
  return {
    "@type": ["Organization", "ProfessionalService"],
    "@id": businessId(settings),
    ...contactFacts(settings),
    description: footer.description,
    image: settings.url + siteSharePicture.path,
    logo: settings.url + (settings.logo ?? iconPath.large),
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
    sameAs: [settings.profileUrl],
  };
}

function contactFacts(settings: SiteSettings) {
  return {
    name: settings.name,
    url: settings.url,
    telephone: settings.phone,
    address: {
      "@type": "PostalAddress",
      streetAddress: settings.street,
      addressLocality: business.locality,
      addressRegion: business.region,
      postalCode: settings.postalCode,
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
  /** The address of its picture. */
  image: string;
};

/** An issue of the newsletter. The firm is its author, because an issue names no person. */
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

/** Non-breaking spaces are only for display. */
function withPlainSpaces(words: string): string {
  return words.replaceAll("\u00a0", " ");
}

/** A service of the firm in the Greater Toronto Area (specification, section 3). */
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
