import { renderToReadableStream } from "react-dom/server";
import type { EntryContext, RouterContextProvider } from "react-router";
import { isRouteErrorResponse, ServerRouter } from "react-router";
import { PageScriptsContext } from "./alive/inline-script.tsx";
import { siteContext } from "./site-services.ts";

/** Renders whole pages, so that a failure can set the status and the policy has every hash. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const { origin, reportError } = loadContext.get(siteContext);
  let renderingFailed = false;
  const page = await renderToReadableStream(
    <PageScriptsContext value={{ nonce: origin.nonce, alive: routerContext.manifest.entry.module }}>
      <ServerRouter context={routerContext} url={request.url} />
    </PageScriptsContext>,
    {
      signal: request.signal,
      onError(error) {
        // The visitor has left.
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

/** Client errors aren't reported. */
export function handleError(error: unknown, { context, request }: HandleErrorArgs) {
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(siteContext).reportError(error);
}

type HandleErrorArgs = { context: RouterContextProvider; request: Request };
