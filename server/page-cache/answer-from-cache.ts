import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { chooseEncoding } from "./choose-encoding.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import type { PageCache } from "./page-cache.ts";
import { pageKey } from "./page-key.ts";
import { writeVariant } from "./write-variant.ts";

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
  const variant = answer.variants[chooseEncoding(request.headers["accept-encoding"])];
  writeVariant(answer.status, variant, request, response);
}
