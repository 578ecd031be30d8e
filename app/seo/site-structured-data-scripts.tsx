import type { SiteSettings } from "#contracts/site-settings.ts";
import { siteStructuredData } from "./site-structured-data.ts";

/** The structured data that stands on every page, one block a node. */
export function SiteStructuredData({ settings }: { settings: SiteSettings }) {
  return siteStructuredData(settings).map((data) => {
    const json = JSON.stringify({ "@context": "https://schema.org", ...data });
    return (
      <script
        key={data["@type"]}
        type="application/ld+json"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own settings, with "<" escaped.
        dangerouslySetInnerHTML={{ __html: json.replaceAll("<", "\\u003c") }}
      />
    );
  });
}
