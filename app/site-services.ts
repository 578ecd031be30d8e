import { createContext } from "react-router";
import type { RequestOrigin } from "#content/site-settings.ts";
import type { Forms, SiteServices } from "./ports.ts";
import type { createSearch } from "./search/search-site.server.ts";

type RequestServices = {
  origin: RequestOrigin;
  forms: Forms;
  search: ReturnType<typeof createSearch>["search"];
};

export const siteContext = createContext<SiteServices & RequestServices>();
