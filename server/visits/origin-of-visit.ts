import { noReferrer } from "./store/visit-sums.ts";

const nameMaxLength = 60;

/** A name of the public internet: letters at the end, so no address in numbers and no machine's own name. */
const publicHost = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,30}$/;
const campaignForm = /^[\p{L}\p{N}][\p{L}\p{N} ._+-]*$/u;
const campaignParameters = ["utm_campaign", "utm_source"];

/** The host that a visit from outside comes from, without `www.`; {@link noReferrer} where it isn't told. */
export function referrerOf(referer: string | undefined, ownHost: string): string {
  const host = referer ? URL.parse(referer)?.hostname : undefined;
  if (!host || host === ownHost || host.length > nameMaxLength || !publicHost.test(host)) {
    return noReferrer;
  }
  return host.replace(/^www\.(?=.+\.)/, "");
}

/**
 * What the link says that it is part of: `utm_campaign`, or `utm_source` where there is none. Null where it says nothing,
 * or something that is no name: an address of somebody's has an at-sign.
 */
export function campaignOf(url: string): string | null {
  const query = url.slice(url.indexOf("?") + 1);
  if (!query.includes("utm_")) return null;
  const asked = new URLSearchParams(query);
  for (const parameter of campaignParameters) {
    const value = asked.get(parameter)?.trim().toLowerCase();
    if (value) return value.length <= nameMaxLength && campaignForm.test(value) ? value : null;
  }
  return null;
}
