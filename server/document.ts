import { createHash, randomBytes } from "node:crypto";
import { html as markup } from "hono/html";
import type { SiteSettings } from "#content/site-settings.ts";

type DocumentFacts = {
  settings: SiteSettings;
  /** Marks the site's own scripts and styles. It never leaves the server. */
  nonce: string;
  showsIssueBody: boolean;
  /** Null in development, where the bundler adds it by script. */
  styles: string | null;
};

/** An HTML parser takes five times as long. A tag that is unmatched gets no hash, so it can't run. */
const token =
  /<!--.*?-->|<(script|style|title|textarea)((?:"[^"]*"|[^>"])*)>(.*?)<\/\1|<[a-z](?:"[^"]*"|[^>"])*>/gis;

/** Puts hashes in place of the nonce and returns the policy. Additions go to the end of the head. */
export function finishDocument(
  rendered: string,
  { settings, nonce, showsIssueBody, styles }: DocumentFacts,
): { html: string; policy: string } {
  const css = styles === "" ? "" : ownStyles(styles, settings);
  const style = css && `<style nonce="${nonce}">${css.replaceAll("</", "<\\/")}</style>`;
  const page = rendered.replace("</head>", () => `${style}</head>`);

  const hashes = { script: new Set<string>(), style: new Set<string>() };
  const nonceAttribute = ` nonce="${nonce}"`;
  const html = page.replace(token, (written, name?: string, attributes = "", content = "") => {
    if (written.startsWith("<!--") || name === "title" || name === "textarea") return written;
    const isOwn = (name ? attributes : written).includes(nonceAttribute);
    const isInline = (name === "script" || name === "style") && content !== "";
    if (isInline && isOwn && !/ src=/.test(attributes)) {
      hashes[name].add(`'sha256-${createHash("sha256").update(content).digest("base64")}'`);
    }
    return isOwn ? written.replace(nonceAttribute, "") : written;
  });
  const facts = { settings, showsIssueBody, stylesComeByScript: styles === null };
  return { html, policy: contentSecurityPolicy(facts, hashes) };
}

/** The owner's accent overrides that of app/styles/tokens.css. */
export function ownStyles(styles: string | null = null, { accent }: SiteSettings): string {
  return `${styles ?? ""}html:root{--color-chalk:${accent}}`;
}

type PlainPage = {
  status: number;
  title: string;
  text: string;
  requestId?: string;
  headers?: Record<string, string>;
};

/** For when the site's own pages can't or shouldn't be rendered. */
export function plainAnswer(
  settings: SiteSettings,
  { status, title, text, requestId, headers }: PlainPage,
): Response {
  const { accent } = settings;
  const nonce = randomBytes(16).toString("hex");
  const reference = requestId
    ? markup`<p><small>If you write to us about it, this number helps us find it: <code>${requestId}</code></small></p>`
    : "";
  const page = markup`<!doctype html>
<html lang="en-CA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | ${settings.name}</title>
<style nonce="${nonce}">
:root { color-scheme: light }
body { margin: 0; background: #eef2e9; color: #101a2b; font: 1.125rem/1.55 Archivo, system-ui, sans-serif }
main { max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 1rem; padding-bottom: .75rem; border-bottom: 3px solid ${accent} }
a { color: ${accent} }
a:focus-visible { outline: 3px solid ${accent}; outline-offset: 3px }
small { color: #46526a }
code { font-family: "IBM Plex Mono", ui-monospace, monospace; overflow-wrap: anywhere }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/">Go to the home page</a>, or write to <a href="mailto:${settings.email}">${settings.email}</a>.</p>
${reference}
</main>
</body>
</html>
`;
  const facts = { settings, nonce, showsIssueBody: false, styles: "" };
  const { html, policy } = finishDocument(String(page), facts);
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=UTF-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      ...headers,
    },
  });
}

const deniedFeatures = ["browsing-topics", "camera", "geolocation", "microphone"];

type HeaderFacts = { url: string; isPrivate?: boolean; scheduling?: SiteSettings["scheduling"] };

function bookingOrigins({ assetHost, url, contactUrl }: SiteSettings["scheduling"]): string[] {
  if (!assetHost) return [];
  return [...new Set([url, contactUrl].map((address) => new URL(address).origin))];
}

/** Headers of every answer, in lower case. Pictures and feeds have a resource policy of their own. */
export function securityHeaders(facts: HeaderFacts): Record<string, string> {
  const { url, isPrivate = false, scheduling } = facts;
  const booking = scheduling ? bookingOrigins(scheduling) : [];
  const payment = booking.length > 0 ? `self ${booking.map((host) => `"${host}"`).join(" ")}` : "";
  return {
    "x-content-type-options": "nosniff",
    // The link that opens the desk holds a secret.
    "referrer-policy": isPrivate ? "same-origin" : "strict-origin-when-cross-origin",
    // The provider opens windows for sign-ins or payments.
    "cross-origin-opener-policy": payment ? "same-origin-allow-popups" : "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": `${deniedFeatures.map((feature) => `${feature}=()`).join(", ")}, payment=(${payment})`,
    // One year.
    ...(url.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}

function contentSecurityPolicy(
  facts: Pick<DocumentFacts, "settings" | "showsIssueBody"> & { stylesComeByScript: boolean },
  hashes: { script: Set<string>; style: Set<string> },
): string {
  const { settings, showsIssueBody, stylesComeByScript } = facts;
  const { assetHost } = settings.scheduling;
  const bookingHosts = bookingOrigins(settings.scheduling);
  return policyOf({
    "default-src": ["'self'"],
    "object-src": ["'none'"],
    "media-src": ["'none'"],
    "worker-src": ["'none'"],
    "script-src": ["'self'", ...hashes.script, assetHost],
    "style-src": ["'self'", ...hashes.style, stylesComeByScript && "'unsafe-inline'", assetHost],
    // The sanitiser makes them harmless.
    ...(showsIssueBody ? { "style-src-attr": ["'unsafe-inline'"] } : {}),
    // Issues and scheduling providers may show pictures from anywhere.
    "img-src": ["'self'", "data:", "https:"],
    "frame-src": bookingHosts.length > 0 ? bookingHosts : ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    ...(settings.url.startsWith("https:") ? { "upgrade-insecure-requests": [] } : {}),
  });
}

/** The editor writes styles by script and shows previews in frames. */
export function deskPolicy(nonce: string): string {
  return policyOf({
    "default-src": ["'none'"],
    "script-src": ["'self'", `'nonce-${nonce}'`],
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "frame-src": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'self'"],
    "base-uri": ["'none'"],
  });
}

function policyOf(directives: Record<string, (string | false | null | undefined)[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources.filter(Boolean)].join(" "))
    .join("; ");
}
