import type { SiteSettings } from "#contracts/site-settings.ts";

/** How long a browser keeps to https after a visit, in seconds: one year. */
const strictTransportMaxAgeS = 31_536_000;

/**
 * What the site never asks a browser for, and so nothing in its pages may: what a visitor would be asked about, and what
 * would tell of them unasked. A longer list would not fit the first flight of bytes beside the page.
 */
const deniedFeatures = [
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "microphone",
  "payment",
  "usb",
];

const fixedHeaders: [string, string][] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  // The booking popup is a frame in the page, so no other window needs a handle on this one.
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", deniedFeatures.map((feature) => `${feature}=()`).join(", ")],
];

/** Names in lower case, and values. Https is promised only where the site's own address is https. */
export function headersOfEveryAnswer({ url }: Pick<SiteSettings, "url">): [string, string][] {
  if (!url.startsWith("https:")) return fixedHeaders;
  return [...fixedHeaders, ["strict-transport-security", `max-age=${strictTransportMaxAgeS}`]];
}

/** Those of a file. A picture of the site may stand in other sites' pages, as sharing cards and feed readers do. */
export function headersOfFile(
  settings: Pick<SiteSettings, "url">,
  contentType: string,
): [string, string][] {
  const headers = headersOfEveryAnswer(settings);
  if (!contentType.startsWith("image/")) return headers;
  return headers.map(([name, value]) => [
    name,
    name === "cross-origin-resource-policy" ? "cross-origin" : value,
  ]);
}

const namesOfEveryAnswer = new Set([
  ...fixedHeaders.map(([name]) => name),
  "strict-transport-security",
]);

/** Whether a header, named in lower case, is one of {@link headersOfEveryAnswer}. */
export function isOfEveryAnswer(name: string): boolean {
  return namesOfEveryAnswer.has(name);
}
