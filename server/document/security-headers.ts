import type { SiteSettings } from "#contracts/site-settings.ts";

/** How long a browser keeps to https after a visit, in seconds: one year. */
const strictTransportMaxAgeS = 31_536_000;

/** What the site never asks a browser for, so nothing in its pages may. */
const deniedFeatures = [
  "accelerometer",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "usb",
];

/**
 * What every answer carries; names in lower case. A picture may stand in other sites' pages, as sharing cards and feed
 * readers show it. Https is promised only where the site's own address is https.
 */
export function securityHeaders(
  { url }: Pick<SiteSettings, "url">,
  contentType: string | null,
): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    // The booking popup is a frame in the page, so no other window needs a handle on this one.
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": contentType?.startsWith("image/")
      ? "cross-origin"
      : "same-origin",
    "permissions-policy": deniedFeatures.map((feature) => `${feature}=()`).join(", "),
    ...(url.startsWith("https:") && {
      "strict-transport-security": `max-age=${strictTransportMaxAgeS}`,
    }),
  };
}
