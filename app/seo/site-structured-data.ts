import type { SearchActionLeaf, WebSiteLeaf, WithActionConstraints } from "schema-dts";
import { languageTag } from "#content/site-language.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { businessId, businessStructuredData } from "./business-structured-data.ts";

/** What stands on every page: the website with the search that it promises, and the firm (specification, section 2). */
export function siteStructuredData(settings: SiteSettings, depth: { isBrief: boolean }) {
  return [websiteStructuredData(settings), businessStructuredData(settings, depth)];
}

function websiteStructuredData(settings: SiteSettings): WebSiteLeaf {
  const search: WithActionConstraints<SearchActionLeaf> = {
    "@type": "SearchAction",
    target: { "@type": "EntryPoint", urlTemplate: `${settings.url}/search?q={term}` },
    "query-input": "required name=term",
  };
  return {
    "@type": "WebSite",
    "@id": websiteId(settings),
    name: settings.name,
    url: settings.url,
    inLanguage: languageTag,
    publisher: { "@id": businessId(settings) },
    potentialAction: search,
  };
}

function websiteId(settings: SiteSettings): string {
  return `${settings.url}/#website`;
}
