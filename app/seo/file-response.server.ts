/** For files that depend only on settings. */
export const fileMaxAgeS = 3_600;

/**
 * A response that is a file. `type` is the media type without the charset, which is UTF-8. Without `maxAgeS` the cache
 * rules of pages that show issues apply (pages.ts).
 */
export function fileResponse(body: string, type: string, maxAgeS?: number): Response {
  const headers = new Headers({ "Content-Type": `${type}; charset=utf-8` });
  if (maxAgeS !== undefined) headers.set("Cache-Control", `public, max-age=${maxAgeS}`);
  return new Response(body, { headers });
}

/** The newsletter can't be read now. An empty list would say that the issues are gone. */
export function unavailableResponse(): Response {
  return new Response("The newsletter can't be read right now. Please try again in a minute.\n", {
    status: 503,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "Retry-After": "60",
    },
  });
}
