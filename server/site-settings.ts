import type { SiteSettings } from "#contracts/site-settings.ts";
import type { Config } from "./config.ts";

/** Where a link to the booking page leads while no provider is set: the card on the contact page. */
const standInPath = "/contact#discovery-call";

/** The public facts that pages show. `port` is the one really taken, for an address where none is set. */
export function siteSettings(config: Config, port: number = config.port): SiteSettings {
  const url = config.siteUrl ?? `http://localhost:${port}`;
  return {
    url,
    name: config.siteName,
    email: config.siteEmail,
    phone: config.sitePhone,
    street: config.siteStreet,
    postalCode: config.sitePostalCode,
    profileUrl: config.siteProfileUrl,
    scheduling: config.scheduling ?? {
      assetHost: "",
      url: `${url}${standInPath}`,
      contactUrl: `${url}${standInPath}`,
    },
    hostedBackend: config.hostedBackend && {
      ...config.hostedBackend,
      webhookUrl: config.newsletterWebhookUrl,
    },
    ...(config.analytics && { analytics: config.analytics }),
  };
}
