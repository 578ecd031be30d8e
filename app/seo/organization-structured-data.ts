import { footer } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";

/** The firm as an organization, for the About page. */
export function organizationStructuredData(settings: SiteSettings) {
  return {
    "@type": "Organization",
    name: settings.name,
    url: settings.url,
    logo: `${settings.url}/favicon.svg`,
    description: footer.description,
    email: settings.email,
    telephone: settings.phone,
    address: {
      "@type": "PostalAddress",
      streetAddress: settings.street,
      addressLocality: "Toronto",
      addressRegion: "ON",
      postalCode: settings.postalCode,
      addressCountry: "CA",
    },
    areaServed: "Toronto and the Greater Toronto Area",
    sameAs: [settings.profileUrl],
  };
}
