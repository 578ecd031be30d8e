import type { RequestListener } from "node:http";
import { visitsPath } from "#contracts/visits.ts";
import { resolveAddress } from "../page-policy/resolve-address.ts";
import type { VisitNotes } from "./count-visits.ts";

const bookingTold = `${visitsPath}?booking`;
const pageTold = `${visitsPath}?/`;

type AnswerVisitsOptions = {
  /** Null where nobody counts: pages say what they say, and it goes nowhere. */
  notes: VisitNotes | null;
  /** Names in lower case, and values. */
  headersOfEveryAnswer: [string, string][];
  next: RequestListener;
};

/**
 * Takes in what pages say of themselves, as their address alone: `POST /visits?booking`, and `POST /visits?/pricing` for a
 * page that the browser shows without asking for it. Always answered with 204, so that nothing can be learned from it.
 */
export function answerVisits(options: AnswerVisitsOptions): RequestListener {
  const { notes, headersOfEveryAnswer, next } = options;
  const answerHeaders = [...headersOfEveryAnswer.flat(), "cache-control", "no-store"];
  return (request, response) => {
    const { method, url = "/", headers } = request;
    if (method !== "POST" || !url.startsWith(`${visitsPath}?`)) return next(request, response);
    const isEmpty = !headers["transfer-encoding"] && Number(headers["content-length"] ?? 0) === 0;
    // Nobody waits for what a stranger sends along.
    response.writeHead(204, isEmpty ? answerHeaders : [...answerHeaders, "connection", "close"]);
    response.end();
    if (!notes || !isEmpty) return;
    if (url === bookingTold) return notes.countBooking(headers);
    const address = url.startsWith(pageTold)
      ? resolveAddress(url.slice(pageTold.length - 1))
      : null;
    if (address?.kind === "page") notes.countPage(headers, address);
  };
}
