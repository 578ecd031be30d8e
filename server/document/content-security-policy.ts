import type { AnalyticsTag, SiteSettings } from "#contracts/site-settings.ts";

/** `'sha256-…'` of what stands inline, as the policy writes it. */
export type InlineHashes = { scripts: Set<string>; styles: Set<string> };

type PolicyFacts = {
  settings: SiteSettings;
  /** Where pages come from sources, the bundler puts their styles in by script as they are needed. */
  stylesComeByScript: boolean;
  /** An issue's body has the inline styles that email layout needs. */
  showsIssueBody: boolean;
  /** Of what the site itself put inline. */
  hashes: InlineHashes;
};

/** The content security policy of one page: nothing inline runs in it but what the site itself put there. */
export function contentSecurityPolicy({
  settings,
  stylesComeByScript,
  showsIssueBody,
  hashes,
}: PolicyFacts): string {
  const { assetHost, url, contactUrl } = settings.scheduling;
  const { hostedBackend } = settings;
  const analytics = settings.analytics && analyticsSources(settings.analytics);
  const connected = [
    ...(hostedBackend ? [new URL(hostedBackend.url).origin] : []),
    ...(analytics?.connect ?? []),
  ];
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
    "script-src": ["'self'", ...hashes.scripts, assetHost, analytics?.script],
    "style-src": ["'self'", ...hashes.styles, unsafeInline, assetHost],
    // The sanitiser keeps these harmless, not this line.
    ...(showsIssueBody ? { "style-src-attr": ["'unsafe-inline'"] } : {}),
    // Pictures in issues may come from anywhere, and an issue can be opened by script from any page.
    "img-src": ["'self'", "data:", "https:"],
    // Only where it's more than the site itself; fonts and the manifest have what `default-src` says too.
    ...(connected.length > 0 ? { "connect-src": ["'self'", ...connected] } : {}),
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

/** What the policy lets a counting service's script be fetched from, and send to. */
type Sources = { script: string; connect: string[] };

/** Umami's own service counts at addresses that it has moved more than once (umami-software/umami 4326). */
const umamiCloud = "https://cloud.umami.is";

const googleTags = "https://www.googletagmanager.com";

function analyticsSources({ kind, host }: AnalyticsTag): Sources {
  if (kind === "ga4") {
    return {
      script: googleTags,
      connect: [
        "https://*.google-analytics.com",
        "https://*.analytics.google.com",
        "https://*.googletagmanager.com",
      ],
    };
  }
  const isCloud = host === umamiCloud;
  return {
    script: host,
    connect: isCloud ? [host, "https://*.umami.is", "https://*.umami.dev"] : [host],
  };
}

/**
 * The script that fetches a counting service's own, unless the visitor's browser asks not to be tracked. An id has letters,
 * digits, dots and hyphens only (see `ANALYTICS_ID`), and nothing in it needs escaping.
 */
export function analyticsScript({ kind, id, host }: AnalyticsTag): string {
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
