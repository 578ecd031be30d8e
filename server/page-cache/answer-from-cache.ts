import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { chooseEncoding } from "./choose-encoding.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import type { PageCache } from "./page-cache.ts";
import { pageKey } from "./page-key.ts";

/**
 * Answers GET and HEAD of kept pages straight from memory, before any framework sees the request, and has the others
 * answered by `next`. A page that isn't kept yet is made once for everyone who asks meanwhile.
 */
export function answerFromCache(cache: PageCache, next: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url = "/" } = request;
    const page = method === "GET" || method === "HEAD" ? pageKey(url) : null;
    if (!page) return next(request, response);
    const kept = cache.find(page);
    if (kept) return write(kept, request, response);
    cache.make(page).then(
      (answer) => write(answer, request, response),
      // Whatever went wrong is answered, and told of, where every other failure is.
      () => next(request, response),
    );
  };
}

function write(answer: KeptAnswer, request: IncomingMessage, response: ServerResponse) {
  if (response.destroyed) return;
  const { headers: asked } = request;
  const variant = answer.variants[chooseEncoding(asked["accept-encoding"])];
  const ifNoneMatch = asked["if-none-match"];
  if (ifNoneMatch && answer.status === 200 && names(ifNoneMatch, variant.etag)) {
    response.writeHead(304, variant.headers).end();
    return;
  }
  response.writeHead(answer.status, [
    ...variant.headers,
    "content-length",
    String(variant.body.length),
  ]);
  response.end(request.method === "HEAD" ? undefined : variant.body);
}

/** Weak comparison of RFC 9110, section 8.8.3.2; a proxy that recompresses makes our strong tag a weak one. */
function names(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
