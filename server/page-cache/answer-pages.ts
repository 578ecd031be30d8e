import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Asker } from "#api/bounded-queue.ts";
import { aheadCaching, mustRevalidate } from "../page-policy/page-caching.ts";
import { type PageAddress, resolveAddress } from "../page-policy/resolve-address.ts";
import type { CountVisit } from "../visits/count-visits.ts";
import type { BusyAnswer } from "./busy-answer.ts";
import type { CachedResponse } from "./cached-response.ts";
import { chooseEncoding } from "./choose-encoding.ts";
import type { PageCache } from "./page-cache.ts";
import { withCacheControl, writeVariant } from "./write-variant.ts";

type AnswerPagesOptions = {
  cache: PageCache;
  /** Whom the page is made for. */
  readAsker: (request: IncomingMessage) => string | null;
  /** Names in lower case, and values. */
  headersOfEveryAnswer: [string, string][];
  /** Whether what would have to be made for them now is refused. */
  isBusyFor: (asker: Asker) => boolean;
  /** What is said then. */
  busyAnswer: BusyAnswer;
  /** Told of each page that is answered; null where nobody counts them. */
  countVisit: CountVisit | null;
  /** Answers what is made anew for each request. */
  next: RequestListener;
};

/**
 * Answers GET and HEAD of pages straight from memory, before any framework sees the request: those that are cached, what
 * is no page at all, and addresses in another spelling. A page that isn't cached yet is made once for everyone who asks
 * meanwhile.
 */
export function answerPages(options: AnswerPagesOptions): RequestListener {
  const { cache, readAsker, isBusyFor, busyAnswer, countVisit, next } = options;
  const redirectHeaders = [
    ...options.headersOfEveryAnswer.flat(),
    ...["cache-control", mustRevalidate, "content-length", "0"],
  ];
  return (request, response) => {
    const { method, url = "/" } = request;
    const isRead = method === "GET" || method === "HEAD";
    const address = resolveAddress(url);
    if (address.kind === "misspelled" && isRead) {
      response.writeHead(308, [...redirectHeaders, "location", address.location]).end();
      return;
    }
    if (address.kind !== "page") return next(request, response);
    const page = isRead ? address.key : null;
    const cached = page && cache.find(page);
    if (cached) {
      write(cached, address, request, response);
      countVisit?.(request, address, cached.status);
      return;
    }
    const from = readAsker(request);
    const isUrgent = page ? !page.varies : !isRead;
    if (isBusyFor({ from, isUrgent }) && !(page && cache.isMaking(page))) {
      return busyAnswer.write(request, response);
    }
    if (!page) {
      if (countVisit) {
        response.once("finish", () => countVisit(request, address, response.statusCode));
      }
      return next(request, response);
    }
    cache.make(page, from).then(
      (made) => {
        write(made, address, request, response);
        countVisit?.(request, address, made.status);
      },
      // Whatever went wrong is answered, and told of, where every other failure is.
      () => next(request, response),
    );
  };
}

function write(
  cached: CachedResponse,
  { isData }: PageAddress,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (response.destroyed) return;
  const variant = cached.variants[chooseEncoding(request.headers["accept-encoding"])];
  const ahead = cached.status === 200 ? aheadCaching(isData, secPurpose(request)) : null;
  writeVariant(
    cached.status,
    ahead ? withCacheControl(variant, ahead) : variant,
    request,
    response,
  );
}

function secPurpose({ headers }: IncomingMessage): string | undefined {
  return headers["sec-purpose"] as string | undefined;
}
