import { useRouteLoaderData } from "react-router";
import type { SiteSettings } from "#contracts/site-settings.ts";

/** The firm's facts and today's date as the server took them, the same for server and browser. */
export type SiteFacts = { settings: SiteSettings; today: string; year: number };

/** Null where the root route could not be loaded, so that its error page does without them. */
export function useSiteFactsIfLoaded(): SiteFacts | null {
  return useRouteLoaderData<SiteFacts>("root") ?? null;
}

export function useSiteFacts(): SiteFacts {
  const facts = useSiteFactsIfLoaded();
  if (!facts) throw new Error("No facts outside the root route.");
  return facts;
}
