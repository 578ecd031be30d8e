import { createContext } from "react-router";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";

export type SiteServices = {
  settings: SiteSettings;
  /** The built-in backend, called in-process; null where a hosted one is configured. */
  backendFetch: ((request: Request, origin: RequestOrigin) => Promise<Response>) | null;
  /** Told of what goes wrong while a page is made; the visitor sees a plain page. */
  reportError: (error: unknown, origin?: RequestOrigin) => void;
};

/** What belongs to one request. */
export type RequestServices = {
  origin: RequestOrigin;
  /**
   * Bodies of issues that the document being made holds as HTML, by the id, so that they are not in its data a
   * second time. Null where data alone is asked for.
   */
  bodiesInDocument: Map<number, string> | null;
};

/** How loaders and actions reach the services of the server that they run in. */
export const siteContext = createContext<SiteServices & RequestServices>();
