import { renderToReadableStream } from "react-dom/server";
import type { EntryContext, RouterContextProvider } from "react-router";
import { isRouteErrorResponse, ServerRouter } from "react-router";
import { siteContext } from "./site-services.ts";

/**
 * Renders a whole page before the first byte leaves: nothing on a page waits for slow data, a failure can still become
 * the right status, and the security policy can list the hashes of the finished page's scripts.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const { origin, reportError } = loadContext.get(siteContext);
  if (status === 404 && origin.hasMissingPage) return new Response(null, { status, headers });
  let renderingFailed = false;
  const page = await renderToReadableStream(
    <ServerRouter context={routerContext} url={request.url} nonce={origin.nonce} />,
    {
      signal: request.signal,
      nonce: origin.nonce,
      onError(error) {
        // A visitor who leaves in the middle is no failure.
        if (request.signal.aborted) return;
        renderingFailed = true;
        reportError(error);
      },
    },
  );
  await page.allReady;
  return new Response(request.method === "HEAD" ? null : page, {
    status: renderingFailed ? 500 : status,
    headers,
  });
}

/** What the asker did wrong, such as posting to a page without a form, is answered and is no failure of the site. */
export function handleError(error: unknown, { context, request }: HandleErrorArgs) {
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(siteContext).reportError(error);
}

type HandleErrorArgs = { context: RouterContextProvider; request: Request };
