import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import { currentArchive } from "./newsletter/archive/archive-index.server.ts";
import { type SiteServices, siteContext } from "./site-services.ts";

type Site = (request: Request, origin: RequestOrigin) => Promise<Response>;

/**
 * The website as one plain function. This module is the entry of the server build, so that the server shell and the
 * site's code never hold two copies of the router's context keys.
 */
export function createSite(services: SiteServices): Site {
  // A form posted to a page is taken only from the site's own address, whatever name a proxy puts in Host.
  const ownHost = new URL(services.settings.url).host;
  const handle = createRequestHandler(
    { ...build, allowedActionOrigins: [ownHost] },
    import.meta.env.MODE,
  );
  // Read before the first visitor needs it; where it can't be, that visitor's page says so.
  void currentArchive({ ...services, origin: { clientAddress: null } }).catch(() => {});
  return function site(request, origin) {
    const context = new RouterContextProvider();
    // The router asks for a page's data alone at the page's address with this ending.
    const isDocument = !new URL(request.url).pathname.endsWith(".data");
    const partsOfDocument = isDocument
      ? { bodies: new Map<number, string>(), choice: null, newest: null }
      : null;
    const reportError = (error: unknown) => services.reportError(error, origin);
    context.set(siteContext, { ...services, reportError, origin, partsOfDocument });
    return handle(request, context);
  };
}
