import type { AnalyticsTag } from "#contracts/site-settings.ts";

/** What the policy lets a counting service's script be fetched from, and send to. */
type Sources = { script: string; connect: string[] };

/** Umami's own service counts at addresses that it has moved more than once (umami-software/umami 4326). */
const umamiCloud = "https://cloud.umami.is";

const googleTags = "https://www.googletagmanager.com";

export function analyticsSources({ kind, host }: AnalyticsTag): Sources {
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
