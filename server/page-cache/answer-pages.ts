import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { aheadCaching, askedAgain } from "../page-policy/page-caching.ts";
import { type PageAddress, resolveAddress } from "../page-policy/resolve-address.ts";
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
  /** Answers what is made anew for each request. */
  next: RequestListener;
};

/**
 * Answers GET and HEAD of pages straight from memory, before any framework sees the request: those that are cached, what
 * is no page at all, and addresses in another spelling. A page that isn't cached yet is made once for everyone who asks
 * meanwhile.
 */
export function answerPages(options: AnswerPagesOptions): RequestListener {
  const { cache, readAsker, next } = options;
  const redirectHeaders = [
    ...options.headersOfEveryAnswer.flat(),
    ...["cache-control", askedAgain, "content-length", "0"],
  ];
  return (request, response) => {
    const { method, url = "/" } = request;
    if (method !== "GET" && method !== "HEAD") return next(request, response);
    const address = resolveAddress(url);
    if (address.kind === "misspelled") {
      response.writeHead(308, [...redirectHeaders, "location", address.location]).end();
      return;
    }
    const page = address.kind === "page" ? address.key : null;
    if (address.kind !== "page" || !page) return next(request, response);
    const cached = cache.find(page);
    if (cached) return write(cached, address, request, response);
    cache.make(page, readAsker(request)).then(
      (made) => write(made, address, request, response),
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
