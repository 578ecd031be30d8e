import type { SiteIdentity } from "#contracts/site-settings.ts";

/** The page that confirms a subscription. Opening it changes nothing: its button does, since scanners open links. */
export function confirmLink(site: Pick<SiteIdentity, "url">, token: string): string {
  return `${site.url}/newsletter/confirm?token=${encodeURIComponent(token)}`;
}

/** The page that ends a subscription, and the address of one-click unsubscribing (RFC 8058) when posted to. */
export function unsubscribeLink(site: Pick<SiteIdentity, "url">, token: string): string {
  return `${site.url}/newsletter/unsubscribe?token=${encodeURIComponent(token)}`;
}
