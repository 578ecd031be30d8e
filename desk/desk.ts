import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { type Desk, deskContext, type Visitor, withOutages } from "./desk-context.ts";

/** The desk's pages as one function. The server build starts here, so that it shares the router's context keys. */
export function createDesk(desk: Desk, ownHosts: string[]) {
  const handle = createRequestHandler(
    { ...build, routes: withOutages(build.routes), allowedActionOrigins: ownHosts },
    import.meta.env.MODE,
  );
  return (request: Request, nonce: string, visitor: Visitor | null): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(deskContext, { ...desk, nonce, visitor });
    return handle(request, context);
  };
}
