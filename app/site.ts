import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import type { RequestOrigin } from "#content/site-settings.ts";
import type { SiteServices } from "./ports.ts";
import { createSearch } from "./search/search-site.server.ts";
import { siteContext } from "./site-services.ts";

/** In each page, so that the first paint waits for no other file. */
export { default as styles } from "./styles/app.css?inline";

type Site = (request: Request, origin: RequestOrigin) => Promise<Response>;

/** Server and site must share one copy of the router's context keys. */
export function createSite(services: SiteServices, { isPreview = false } = {}): Site {
  // A proxy may send another Host.
  const ownHost = new URL(services.settings.url).host;
  const handle = createRequestHandler(
    { ...build, allowedActionOrigins: [ownHost] },
    import.meta.env.MODE,
  );
  const { search, renew } = createSearch(services);
  if (!isPreview) void renew();
  return function site(request, origin) {
    const context = new RouterContextProvider();
    const { clientAddress, requestId } = origin;
    // Stored with a consent.
    const page = request.headers.get("Referer") ?? request.url;
    const forms = services.formsFor({ clientAddress, requestId, page });
    const reportError = (error: unknown) => services.reportError(error, origin);
    context.set(siteContext, { ...services, forms, reportError, origin, search });
    return handle(request, context);
  };
}
