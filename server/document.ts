import { createHash, randomBytes } from "node:crypto";
import { html as markup } from "hono/html";
import type { AnalyticsTag, SiteSettings } from "#content/site-settings.ts";

type DocumentFacts = {
  settings: SiteSettings;
  /** Marks the site's own scripts and styles. It never leaves the server. */
  nonce: string;
  showsIssueBody: boolean;
  /** Null in development, where the bundler adds it by script. */
  styles: string | null;
};

/**
 * A comment, a text element or a start tag. An HTML parser takes five times as long; an unmatched
 * tag gets no hash, so it can't run.
 */
const token =
  /<!--.*?-->|<(script|style|title|textarea)((?:"[^"]*"|[^>"])*)>(.*?)<\/\1|<[a-z](?:"[^"]*"|[^>"])*>/gis;

/** Puts hashes in place of the nonce and returns the policy. Additions go to the end of the head. */
export function finishDocument(
  rendered: string,
  { settings, nonce, showsIssueBody, styles }: DocumentFacts,
): { html: string; policy: string } {
  const { analytics } = settings;
  const css = styles === "" ? "" : ownStyles(styles, settings);
  const style = css && `<style nonce="${nonce}">${css.replaceAll("</", "<\\/")}</style>`;
  const script = analytics && `<script nonce="${nonce}">${analyticsScript(analytics)}</script>`;
  const page = rendered.replace("</head>", () => `${style}${script ?? ""}</head>`);

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
  title: string;
  text: string;
  requestId?: string;
};

export function plainAnswer(
  settings: SiteSettings,
  { status, headers, ...page }: PlainPage & { status: number; headers?: Record<string, string> },
): Response {
  const nonce = randomBytes(16).toString("hex");
  const { analytics: _, ...uncounted } = settings;
  const facts = { settings: uncounted, nonce, showsIssueBody: false, styles: "" };
  const { html, policy } = finishDocument(plainPage(settings, page, nonce), facts);
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

/** For when the site's own pages can't or shouldn't be rendered. */
function plainPage(
  settings: SiteSettings,
  { title, text, requestId }: PlainPage,
  nonce: string,
): string {
  const { accent } = settings;
  const reference = requestId
    ? markup`<p><small>If you write to us about it, this number helps us find it: <code>${requestId}</code></small></p>`
    : "";
  return String(markup`<!doctype html>
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
`);
}

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
  "usb",
];

type HeaderFacts = { url: string; isPrivate?: boolean; scheduling?: SiteSettings["scheduling"] };

function bookingOrigins({ assetHost, url, contactUrl }: SiteSettings["scheduling"]): string[] {
  if (!assetHost) return [];
  return [...new Set([url, contactUrl].map((address) => new URL(address).origin))];
}

/** Browsers' feed readers fetch these from other sites. */
const feedType = /^application\/(?:(?:rss|atom)\+xml|feed\+json)\b/;

/**
 * Headers of every answer, in lower case. Other sites may show the site's pictures and feeds, but
 * nothing of the desk.
 */
export function securityHeaders(
  { url, isPrivate = false, scheduling }: HeaderFacts,
  contentType: string | null,
): Record<string, string> {
  const booking = scheduling ? bookingOrigins(scheduling) : [];
  const payment = booking.length > 0 ? `self ${booking.map((host) => `"${host}"`).join(" ")}` : "";
  const isFeed = !isPrivate && feedType.test(contentType ?? "");
  const isForAnybody = isFeed || (!isPrivate && contentType?.startsWith("image/"));
  return {
    "x-content-type-options": "nosniff",
    // The link that opens the desk holds a secret.
    "referrer-policy": isPrivate ? "same-origin" : "strict-origin-when-cross-origin",
    // The provider opens windows for sign-ins or payments.
    "cross-origin-opener-policy": payment ? "same-origin-allow-popups" : "same-origin",
    "cross-origin-resource-policy": isForAnybody ? "cross-origin" : "same-origin",
    ...(isFeed && { "access-control-allow-origin": "*" }),
    "permissions-policy": `${deniedFeatures.map((feature) => `${feature}=()`).join(", ")}, payment=(${payment})`,
    // One year.
    ...(url.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}

function contentSecurityPolicy(
  {
    settings,
    showsIssueBody,
    stylesComeByScript,
  }: Pick<DocumentFacts, "settings" | "showsIssueBody"> & { stylesComeByScript: boolean },
  hashes: { script: Set<string>; style: Set<string> },
): string {
  const { assetHost } = settings.scheduling;
  const analytics = settings.analytics && analyticsSources(settings.analytics);
  const bookingHosts = bookingOrigins(settings.scheduling);
  return policyOf({
    "default-src": ["'self'"],
    "object-src": ["'none'"],
    "media-src": ["'none'"],
    "worker-src": ["'none'"],
    "script-src": ["'self'", ...hashes.script, assetHost, analytics?.script],
    "style-src": ["'self'", ...hashes.style, stylesComeByScript && "'unsafe-inline'", assetHost],
    // The sanitiser makes them harmless.
    ...(showsIssueBody ? { "style-src-attr": ["'unsafe-inline'"] } : {}),
    // Issues and scheduling providers may show pictures from anywhere.
    "img-src": ["'self'", "data:", "https:"],
    ...(analytics ? { "connect-src": ["'self'", ...analytics.connect] } : {}),
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

const googleTags = "https://www.googletagmanager.com";

function analyticsSources({ kind, host }: AnalyticsTag): { script: string; connect: string[] } {
  if (kind === "ga4") {
    const domains = ["google-analytics.com", "analytics.google.com", "googletagmanager.com"];
    return { script: googleTags, connect: domains.map((domain) => `https://*.${domain}`) };
  }
  // Umami's service changes its hosts (umami-software/umami 4326).
  const isCloud = host === "https://cloud.umami.is";
  const cloud = isCloud ? ["https://*.umami.is", "https://*.umami.dev"] : [];
  return { script: host, connect: [host, ...cloud] };
}

/** Respects Do Not Track. The id needs no escaping (see `ANALYTICS_ID`). */
function analyticsScript({ kind, id, host }: AnalyticsTag): string {
  const [address, more] = {
    plausible: [`${host}/js/script.js`, `s.dataset.domain="${id}";`],
    umami: [`${host}/script.js`, `s.dataset.websiteId="${id}";`],
    ga4: [
      `${googleTags}/gtag/js?id=${id}`,
      `window.dataLayer=[];window.gtag=function(){dataLayer.push(arguments)};gtag("js",new Date());gtag("config","${id}");`,
    ],
  }[kind];
  return [
    'if(!navigator.globalPrivacyControl&&navigator.doNotTrack!=="1"){',
    `let s=document.createElement("script");s.async=true;s.src="${address}";${more}`,
    "document.head.append(s)}",
  ].join("");
}
