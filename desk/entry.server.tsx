import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { deskContext } from "./desk-context.ts";

/** In milliseconds: what a loader still waits for by then is shown as failed. The checks of mail and DNS take seconds. */
export const streamTimeout = 60_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  const { nonce, reportError } = context.get(deskContext);
  const page = await renderToReadableStream(
    <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        if (!request.signal.aborted) reportError(error);
      },
    },
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(page, { status, headers });
}

export function handleError(
  error: unknown,
  { context, request }: { context: RouterContextProvider; request: Request },
) {
  const isExpected = isRouteErrorResponse(error) && error.status < 500;
  if (!isExpected && !request.signal.aborted) context.get(deskContext).reportError(error);
}
