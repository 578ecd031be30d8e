import type { MiddlewareHandler } from "hono";
import { isbot } from "isbot";
import type { AppEnv } from "./app-env.ts";
import { securityHeaders } from "./document/security-headers.ts";
import { findPage, type PageAddress } from "./page-address.ts";
import { noReferrer, type VisitCounter } from "./visit-counter.ts";

/** Longer than any browser's. */
const userAgentMaxLength = 512;
const nameMaxLength = 60;

/** A name of the public internet: letters at the end, so no address in numbers and no machine's own name. */
const publicHost = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,30}$/;
const campaignForm = /^[\p{L}\p{N}][\p{L}\p{N} ._+-]*$/u;
const campaignParameters = ["utm_campaign", "utm_source"];

export type VisitsOptions = {
  visits: Pick<VisitCounter, "count" | "countEvent">;
  /** The site's own. */
  host: string;
  hasIssue: (id: number) => Promise<boolean | null>;
};

/**
 * Counts the pages that people open, by what a browser says of a request by itself (Fetch Metadata). Nothing is kept of
 * whoever asks. Comes behind what finds the page.
 */
export function countOpenedPages({ visits, host }: VisitsOptions): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    const { headers, method, url } = c.req.raw;
    // Fetched ahead is not opened yet.
    const isOpened =
      headers.get("sec-fetch-dest") === "document" &&
      headers.get("sec-fetch-mode") === "navigate" &&
      headers.get("sec-purpose") === null;
    const { address } = c.var;
    if (!isOpened || method !== "GET" || c.res.status !== 200 || address?.page.kind !== "page")
      return;
    if (address.isData || !mayBeCounted(headers)) return;
    countShown(visits, address);
    if (headers.get("sec-fetch-site") === "same-origin") return;
    visits.count("referrer", referrerOf(headers.get("referer"), host));
    const campaign = campaignOf(url);
    if (campaign) visits.count("campaign", campaign);
  };
}

/**
 * Takes in what pages say of themselves, as their address alone: `POST /visits?booking`, and `POST /visits?/pricing` for a
 * page that the browser shows without asking for it. Always answered with 204, so that nothing can be learned from it.
 */
export function takeVisitNotes(options: VisitsOptions | null, siteUrl: string) {
  const answerHeaders = { ...securityHeaders({ url: siteUrl }, null), "cache-control": "no-store" };
  const takeNotes: MiddlewareHandler<AppEnv> = async (c) => {
    const { headers, url } = c.req.raw;
    const isEmpty =
      !headers.has("transfer-encoding") && Number(headers.get("content-length") ?? 0) === 0;
    const isOwnPages = headers.get("sec-fetch-site") === "same-origin";
    if (options && isEmpty && isOwnPages && mayBeCounted(headers)) {
      note(options, url.slice(url.indexOf("?") + 1));
    }
    // Nobody waits for what a stranger sends along.
    return c.body(null, 204, isEmpty ? answerHeaders : { ...answerHeaders, connection: "close" });
  };
  return takeNotes;
}

function note({ visits, hasIssue }: VisitsOptions, said: string): void {
  if (said === "booking") visits.countEvent("booking opened");
  const target = said.startsWith("/") ? URL.parse(said, "http://site") : null;
  const found = target?.host === "site" ? findPage(target) : null;
  if (!found || "redirectTo" in found) return;
  if (found.isData || found.page.kind !== "page" || found.status !== 200 || !found.key) return;
  // A stranger may say so of issues that don't exist.
  const exists = found.issueId === null ? Promise.resolve(true) : hasIssue(found.issueId);
  exists.then(
    (isThere) => isThere && countShown(visits, found),
    () => {},
  );
}

function countShown(visits: VisitsOptions["visits"], { page, issueId }: PageAddress): void {
  if (issueId === null) visits.count("page", page.path);
  else visits.count("issue", String(issueId));
}

function mayBeCounted(headers: Headers): boolean {
  const userAgent = headers.get("user-agent") ?? "";
  const isProgram = userAgent === "" || userAgent.length > userAgentMaxLength || isbot(userAgent);
  return headers.get("dnt") !== "1" && headers.get("sec-gpc") !== "1" && !isProgram;
}

/** The host that a visit from outside comes from, without `www.`; {@link noReferrer} where it isn't said. */
function referrerOf(referer: string | null, ownHost: string): string {
  const host = referer ? URL.parse(referer)?.hostname : undefined;
  if (!host || host === ownHost || host.length > nameMaxLength || !publicHost.test(host)) {
    return noReferrer;
  }
  return host.replace(/^www\.(?=.+\.)/, "");
}

/** `utm_campaign`, or `utm_source`; null where there is neither or it is no name: an email address has an at-sign. */
function campaignOf(url: string): string | null {
  const query = url.slice(url.indexOf("?") + 1);
  if (!query.includes("utm_")) return null;
  const asked = new URLSearchParams(query);
  for (const parameter of campaignParameters) {
    const value = asked.get(parameter)?.trim().toLowerCase();
    if (value) return value.length <= nameMaxLength && campaignForm.test(value) ? value : null;
  }
  return null;
}
