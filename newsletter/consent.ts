import { consentText } from "#content/consent.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";

const pageMaxLength = 500;
const addressMaxLength = 100;

export type ConsentOrigin = {
  /** What the browser named as the page of the form: a whole address or a path. */
  referrer: string | null;
  /** Where the request itself was sent to. */
  requestUrl: string;
  clientAddress: string | null;
};

/**
 * What is kept of one consent beside its time: the exact wording shown, the page it stood on, and the network address
 * it came from. The burden of proof is the sender's (CASL, s. 13).
 */
export function consentOf(site: SiteIdentity, origin: ConsentOrigin) {
  return {
    wording: consentText({ ...site, siteName: site.name }),
    page: consentPage(site, origin),
    networkAddress: origin.clientAddress?.slice(0, addressMaxLength) ?? null,
  };
}

/** The path of the page, where it is one of this site's; a query could hold anything and is left out. */
function consentPage(site: SiteIdentity, { referrer, requestUrl }: ConsentOrigin): string | null {
  if (!referrer || !URL.canParse(referrer, site.url)) return null;
  const page = new URL(referrer, site.url);
  const ownOrigins = [new URL(site.url).origin, new URL(requestUrl).origin];
  return ownOrigins.includes(page.origin) ? page.pathname.slice(0, pageMaxLength) : null;
}
