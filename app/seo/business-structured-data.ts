import type { LocalBusinessLeaf, OfferLeaf, PostalAddressLeaf } from "schema-dts";
import { business } from "#content/business.ts";
import { footer } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { iconPath } from "./icons.ts";
import { sharePicturePath, siteSharePicture } from "./share-picture.ts";

/** What the other nodes of a page's structured data call the firm by. */
export function businessId(settings: SiteSettings): string {
  return `${settings.url}/#business`;
}

/**
 * The firm as a local business, on every page (specification, section 3: business description for search engines). In brief
 * without its hours and services, which every page but the long ones tells under the same `@id`.
 */
export function businessStructuredData(
  settings: SiteSettings,
  { isBrief }: { isBrief: boolean },
): LocalBusinessLeaf {
  const { locality, serviceArea } = business;
  return {
    "@type": "LocalBusiness",
    "@id": businessId(settings),
    ...contactFacts(settings),
    description: footer.description,
    image: settings.url + sharePicturePath(siteSharePicture.slug),
    logo: settings.url + iconPath.large,
    email: settings.email,
    areaServed: [
      { "@type": "City", name: locality },
      { "@type": "AdministrativeArea", name: serviceArea },
    ],
    ...(isBrief ? {} : hoursAndServices()),
    sameAs: [settings.profileUrl],
  };
}

function hoursAndServices(): Pick<
  LocalBusinessLeaf,
  "openingHoursSpecification" | "hasOfferCatalog"
> {
  const { opening, services } = business;
  return {
    openingHoursSpecification: {
      "@type": "OpeningHoursSpecification",
      dayOfWeek: opening.days,
      opens: opening.opens,
      closes: opening.closes,
    },
    hasOfferCatalog: {
      "@type": "OfferCatalog",
      name: services.name,
      itemListElement: services.items.map(offer),
    },
  };
}

/** Who the firm is and how to reach it, as every node that describes it says. */
export function contactFacts(settings: SiteSettings) {
  return {
    name: settings.name,
    url: settings.url,
    telephone: settings.phone,
    address: postalAddress(settings),
  };
}

function postalAddress(settings: SiteSettings): PostalAddressLeaf {
  return {
    "@type": "PostalAddress",
    streetAddress: settings.street,
    addressLocality: business.locality,
    addressRegion: business.region,
    postalCode: settings.postalCode,
    addressCountry: business.country,
  };
}

function offer({ name, priceCad }: (typeof business.services.items)[number]): OfferLeaf {
  return {
    "@type": "Offer",
    itemOffered: { "@type": "Service", name },
    ...(priceCad === null ? {} : { price: priceCad, priceCurrency: "CAD" }),
  };
}
