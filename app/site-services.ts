import { createContext } from "react-router";
import type { Archive, FormSender, Forms } from "#contracts/ports.ts";
import type { RequestOrigin, SiteSettings } from "#contracts/site-settings.ts";

/** What the server provides to the site's pages. */
export type SiteServices = {
  settings: SiteSettings;
  archive: Archive;
  formsFor: (sender: FormSender) => Forms;
  /** Reports an error that occurred while a page was made. */
  reportError: (error: unknown, origin?: RequestOrigin) => void;
};

/** The services of one request. */
type RequestServices = { origin: RequestOrigin; forms: Forms };

export const siteContext = createContext<SiteServices & RequestServices>();
