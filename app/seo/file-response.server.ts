/** For what changes with the site's settings only. */
export const fileMaxAgeS = 3_600;

/**
 * An answer that is a file and no page. `type` is the media type without its charset, which is UTF-8. Without `maxAgeS`
 * it is cached as pages are that show issues (pages.ts).
 */
export function fileResponse(body: string, type: string, maxAgeS?: number): Response {
  const headers = new Headers({ "Content-Type": `${type}; charset=utf-8` });
  if (maxAgeS !== undefined) headers.set("Cache-Control", `public, max-age=${maxAgeS}`);
  return new Response(body, { headers });
}

/** Says that the newsletter can't be read now: an empty list would tell a reader that the issues are gone. */
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
