import type { OrganizationLeaf } from "schema-dts";
import { business } from "#content/business.ts";
import { footer } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { businessId, contactFacts } from "./business-structured-data.ts";
import { iconPath } from "./icons.ts";

/** The firm as an organization, for the About page: the same node as the local business of every page. */
export function organizationStructuredData(settings: SiteSettings): OrganizationLeaf {
  return {
    "@type": "Organization",
    "@id": businessId(settings),
    ...contactFacts(settings),
    logo: settings.url + iconPath.large,
    description: footer.description,
    email: settings.email,
    areaServed: [
      { "@type": "City", name: business.locality },
      { "@type": "AdministrativeArea", name: business.serviceArea },
    ],
    sameAs: [settings.profileUrl],
  };
}
