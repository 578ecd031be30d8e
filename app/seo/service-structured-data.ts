import type { ServiceLeaf } from "schema-dts";
import { business } from "#content/business.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { businessId, contactFacts } from "./business-structured-data.ts";

/** A service that the firm sells in the Greater Toronto Area, and who provides it (specification, section 3). */
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
