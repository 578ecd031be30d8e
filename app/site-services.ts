import { createContext } from "react-router";
import type { Archive, FormSender, Forms } from "#contracts/ports.ts";
import type { RequestOrigin, SiteSettings } from "#contracts/site-settings.ts";

/** What the site's pages work with, as the server hands it in. */
export type SiteServices = {
  settings: SiteSettings;
  archive: Archive;
  /** The forms for one sender. */
  formsFor: (sender: FormSender) => Forms;
  /** Told of what goes wrong while a page is made; the visitor sees a plain page. */
  reportError: (error: unknown, origin?: RequestOrigin) => void;
};

/** What belongs to one request. */
export type RequestServices = { origin: RequestOrigin; forms: Forms };

/** How loaders and actions reach the services of the server that they run in. */
export const siteContext = createContext<SiteServices & RequestServices>();
