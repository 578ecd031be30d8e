import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { SiteSettings } from "#contracts/site-settings.ts";

/** How long a browser keeps to https after a visit, in seconds: one year. */
const strictTransportMaxAgeS = 31_536_000;

const headersOfEveryAnswer = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  // The booking popup is a frame in the page, so no other window needs a handle on this one.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/**
 * Sets the security headers of every answer, and on pages a content security policy that lists the hash of each inline
 * script of that very page. A page is read whole to do so.
 */
export function securityHeaders(settings: SiteSettings): MiddlewareHandler {
  const overHttps = settings.url.startsWith("https:");
  return async (c, next) => {
    await next();
    const response = c.res;
    for (const [name, value] of Object.entries(headersOfEveryAnswer)) {
      response.headers.set(name, value);
    }
    if (overHttps) {
      response.headers.set("Strict-Transport-Security", `max-age=${strictTransportMaxAgeS}`);
    }
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
