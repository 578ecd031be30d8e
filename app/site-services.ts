import { createContext } from "react-router";
import type { Forms, SiteServices } from "#contracts/ports.ts";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import type { createSearch } from "./search/search-site.server.ts";

type RequestServices = {
  origin: RequestOrigin;
  forms: Forms;
  search: ReturnType<typeof createSearch>["search"];
};

export const siteContext = createContext<SiteServices & RequestServices>();
