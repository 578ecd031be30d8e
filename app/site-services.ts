import { createContext } from "react-router";
import type { Forms, SiteServices } from "#contracts/ports.ts";
import type { RequestOrigin } from "#contracts/site-settings.ts";

type RequestServices = { origin: RequestOrigin; forms: Forms };

export const siteContext = createContext<SiteServices & RequestServices>();
