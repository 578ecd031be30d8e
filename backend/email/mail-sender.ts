import { postalAddressAbroad } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";

/** Who sends a mail and how to reach them (CASL, s. 6(2)): two lines that end it. */
export function mailSender(site: SiteIdentity): [sender: string, reach: string] {
  return [`${site.name}, ${postalAddressAbroad(site)}`, `${site.email}, ${site.phone}`];
}
