import type { SiteSettings } from "#contracts/site-settings.ts";

/** The site-wide block: the website and the search that it promises (specification, section 2). */
export function websiteStructuredData(settings: SiteSettings) {
  return {
    "@context": "https://schema.org",
    "@type": "WebSite",
    name: settings.name,
    url: settings.url,
    inLanguage: "en-CA",
    potentialAction: {
      "@type": "SearchAction",
      target: {
        "@type": "EntryPoint",
        urlTemplate: `${settings.url}/search?q={term}`,
      },
      "query-input": "required name=term",
    },
  };
}
