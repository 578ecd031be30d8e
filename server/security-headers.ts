import type { MiddlewareHandler } from "hono";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { AppEnv } from "./app.ts";
import { type InlineHashes, newInlineMark, takeMarks } from "./inline-marks.ts";

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

type PolicyOptions = {
  settings: SiteSettings;
  /** Where pages come from sources, the bundler puts their styles in by script as they are needed. */
  stylesComeByScript: boolean;
};

/**
 * Sets the security headers of every answer, and on pages a content security policy that lists the hashes of what the
 * site itself put inline: that, and nothing else, carries the mark that is made here for each answer. A page is read
 * whole to do so, and the mark is taken off.
 */
export function securityHeaders(options: PolicyOptions): MiddlewareHandler<AppEnv> {
  const headers = headersOfEveryAnswer(options.settings);
  return async (c, next) => {
    const mark = newInlineMark();
    c.set("inlineMark", mark);
    await next();
    const response = c.res;
    for (const [name, value] of headers) response.headers.set(name, value);
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return;
    const { html, hashes } = takeMarks(await response.text(), mark);
    const page = new Response(html, response);
    const policy = contentSecurityPolicy(options, { path: c.req.path, hashes });
    page.headers.set("Content-Security-Policy", policy);
    c.res = page;
  };
}

/** The pages that show an issue's body, with the inline styles that e-mail layout needs. */
const issuePages = /^\/newsletter(?:\/[1-9]\d*)?$/;

type PolicyOfPage = { path: string; hashes: InlineHashes };

/** The policy of one page. */
function contentSecurityPolicy(
  { settings, stylesComeByScript }: PolicyOptions,
  { path, hashes }: PolicyOfPage,
): string {
  const { assetHost, url, contactUrl } = settings.scheduling;
  // The stand-in of the site itself opens no frame.
  const bookingHosts = assetHost
    ? new Set([url, contactUrl].map((address) => new URL(address).origin))
    : ["'none'"];
  const unsafeInline = stylesComeByScript && "'unsafe-inline'";
  const directives = {
    // Firefox puts what is fetched ahead under this directive, so it can't be 'none'; what is left of it is.
    "default-src": ["'self'"],
    "object-src": ["'none'"],
    "media-src": ["'none'"],
    "worker-src": ["'none'"],
    "script-src": ["'self'", ...hashes.scripts, assetHost],
    "style-src": ["'self'", ...hashes.styles, unsafeInline, assetHost],
    // The sanitiser keeps these harmless, not this line.
    ...(issuePages.test(path) ? { "style-src-attr": ["'unsafe-inline'"] } : {}),
    // Pictures in issues may come from anywhere, and an issue can be opened by script from any page.
    "img-src": ["'self'", "data:", "https:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", settings.hostedBackend && new URL(settings.hostedBackend.url).origin],
    "manifest-src": ["'self'"],
    "frame-src": [...bookingHosts],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  const written = Object.entries(directives).map(([name, sources]) =>
    [name, ...sources.filter(Boolean)].join(" "),
  );
  if (settings.url.startsWith("https:")) written.push("upgrade-insecure-requests");
  return written.join("; ");
}
