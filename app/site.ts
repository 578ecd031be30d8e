import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import type { RequestOrigin } from "#contracts/site-settings.ts";
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
  services.archive.heads().catch(() => {});
  return function site(request, origin) {
    const context = new RouterContextProvider();
    const { clientAddress, requestId } = origin;
    // A consent is stored with the page that it was given on.
    const page = request.headers.get("Referer") ?? request.url;
    const forms = services.formsFor({ clientAddress, requestId, page });
    const reportError = (error: unknown) => services.reportError(error, origin);
    context.set(siteContext, { ...services, forms, reportError, origin });
    return handle(request, context);
  };
}
