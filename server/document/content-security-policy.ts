import type { SiteSettings } from "#contracts/site-settings.ts";
import { analyticsSources } from "./analytics-tag.ts";

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
