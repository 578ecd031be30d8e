import type { SiteSettings } from "#contracts/site-settings.ts";

/** A service that the firm sells in the Greater Toronto Area, and who provides it (specification, section 3). */
export function serviceStructuredData(
  service: { name: string; description: string },
  settings: SiteSettings,
) {
  return {
    "@type": "Service",
    name: service.name,
    description: service.description,
    provider: {
      "@type": "LocalBusiness",
      name: settings.name,
      url: settings.url,
      telephone: settings.phone,
      address: {
        "@type": "PostalAddress",
        streetAddress: settings.street,
        addressLocality: "Toronto",
        addressRegion: "ON",
        postalCode: settings.postalCode,
        addressCountry: "CA",
      },
    },
    areaServed: { "@type": "AdministrativeArea", name: "Greater Toronto Area" },
  };
}
