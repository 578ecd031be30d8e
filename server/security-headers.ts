import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { SiteSettings } from "#contracts/site-settings.ts";

/** How long a browser keeps to https after a visit, in seconds: one year. */
const strictTransportMaxAgeS = 31_536_000;

const fixedHeaders: [string, string][] = [
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  // The booking popup is a frame in the page, so no other window needs a handle on this one.
  ["cross-origin-opener-policy", "same-origin"],
  [
    "permissions-policy",
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  ],
];

/** Names in lower case, and values. Https is promised only where the site's own address is https. */
export function headersOfEveryAnswer({ url }: Pick<SiteSettings, "url">): [string, string][] {
  if (!url.startsWith("https:")) return fixedHeaders;
  return [...fixedHeaders, ["strict-transport-security", `max-age=${strictTransportMaxAgeS}`]];
}

/**
 * Sets the security headers of every answer, and on pages a content security policy that lists the hash of each inline
 * script of that very page. A page is read whole to do so.
 */
export function securityHeaders(settings: SiteSettings): MiddlewareHandler {
  const headers = headersOfEveryAnswer(settings);
  return async (c, next) => {
    await next();
    const response = c.res;
    for (const [name, value] of headers) response.headers.set(name, value);
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return;
    const html = await response.text();
    const page = new Response(html, response);
    page.headers.set("Content-Security-Policy", contentSecurityPolicy(settings, html));
    c.res = page;
  };
}

/** The policy of one page, given its HTML. */
export function contentSecurityPolicy(settings: SiteSettings, html: string): string {
  const { assetHost, url, contactUrl } = settings.scheduling;
  // The stand-in of the site itself opens no frame.
  const bookingHosts = assetHost
    ? new Set([url, contactUrl].map((address) => new URL(address).origin))
    : ["'none'"];
  const directives = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...inlineScriptHashes(html), assetHost],
    // Newsletters keep their inline styles, as e-mail layout needs them, and drawings are placed by style attributes;
    // the sanitiser and not this line keeps those harmless.
    "style-src": ["'self'", "'unsafe-inline'", assetHost],
    "img-src": ["'self'", "data:", "https:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", settings.hostedBackend && new URL(settings.hostedBackend.url).origin],
    "frame-src": [...bookingHosts],
    "object-src": ["'none'"],
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

const scriptElement = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;

/** `'sha256-…'` of each inline script that a browser would run; data blocks and scripts with an address need none. */
function inlineScriptHashes(html: string): Set<string> {
  const hashes = new Set<string>();
  for (const [, attributes = "", code = ""] of html.matchAll(scriptElement)) {
    if (/\ssrc\s*=/i.test(attributes) || /type\s*=\s*"?application\/ld\+json/i.test(attributes)) {
      continue;
    }
    hashes.add(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  }
  return hashes;
}
