import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { PageAddress } from "../page-policy/resolve-address.ts";
import { createBotCheck } from "./is-bot.ts";
import { campaignOf, referrerOf } from "./origin-of-visit.ts";
import type { VisitCounter } from "./store/create-visit-counter.ts";

/** Takes note of a page that was answered with a status, where a person has opened it. */
export type CountVisit = (request: IncomingMessage, address: PageAddress, status: number) => void;

export type VisitNotes = {
  countVisit: CountVisit;
  /** The same for what a page says of itself: another page shown without asking for it, or the booking opened. */
  countPage: (headers: IncomingHttpHeaders, address: PageAddress) => void;
  countBooking: (headers: IncomingHttpHeaders) => void;
};

type VisitNotesOptions = {
  visits: Pick<VisitCounter, "count" | "countEvent">;
  /** The site's own. */
  host: string;
  /** Whether there is such an issue; null where that has to be looked up. */
  hasIssue: (id: number) => Promise<boolean | null>;
};

/**
 * Counts the pages that people open, by what a browser says of a request by itself (Fetch Metadata): nothing is kept of
 * whoever asks. A page in memory is answered in 14 µs, so everything here is a few looks at headers that are read already.
 */
export function createVisitNotes({ visits, host, hasIssue }: VisitNotesOptions): VisitNotes {
  const isBot = createBotCheck();
  const mayBeCounted = (headers: IncomingHttpHeaders) =>
    headers.dnt !== "1" && headers["sec-gpc"] !== "1" && !isBot(headers["user-agent"]);

  function countShown({ policy, key }: PageAddress) {
    const issueId = key?.issueId ?? null;
    if (issueId === null) visits.count("page", policy.path);
    else visits.count("issue", String(issueId));
  }

  function countOrigin({ url = "/", headers }: IncomingMessage) {
    if (headers["sec-fetch-site"] === "same-origin") return;
    visits.count("referrer", referrerOf(headers.referer, host));
    const campaign = campaignOf(url);
    if (campaign) visits.count("campaign", campaign);
  }

  return {
    countVisit(request, address, status) {
      const { headers } = request;
      if (!isOpened(headers) || status !== 200 || request.method !== "GET") return;
      if (address.isData || address.policy.kind !== "page" || !mayBeCounted(headers)) return;
      countShown(address);
      countOrigin(request);
    },
    countPage(headers, address) {
      const { policy, isData, key } = address;
      if (isData || policy.kind !== "page" || key?.status !== 200 || !isOwnPages(headers)) return;
      if (!mayBeCounted(headers)) return;
      if (key.issueId === null) return countShown(address);
      // A stranger may say so of issues that there aren't.
      hasIssue(key.issueId).then(
        (exists) => exists && countShown(address),
        () => {},
      );
    },
    countBooking(headers) {
      if (isOwnPages(headers) && mayBeCounted(headers)) visits.countEvent("booking opened");
    },
  };
}

/** A page that is opened to be seen, and not fetched ahead (`Sec-Purpose: prefetch`, or `prefetch;prerender`). */
function isOpened(headers: IncomingHttpHeaders): boolean {
  return (
    headers["sec-fetch-dest"] === "document" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-purpose"] === undefined
  );
}

function isOwnPages(headers: IncomingHttpHeaders): boolean {
  return headers["sec-fetch-site"] === "same-origin";
}
