import { useRouteLoaderData } from "react-router";
import { type FactName, named, ownWords } from "#content/own-words.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";

/** The firm's facts and today's date from the server, so that server and browser render the same. */
export type SiteFacts = {
  settings: SiteSettings;
  today: string;
  year: number;
  /** Names the wording of consent that these settings make: its SHA-256, in hexadecimal. */
  wordingHash: string;
};

/** Null on the error page of a failed root route. */
export function useSiteFactsIfLoaded(): SiteFacts | null {
  return useRouteLoaderData<SiteFacts>("root") ?? null;
}

export function useSiteFacts(): SiteFacts {
  const facts = useSiteFactsIfLoaded();
  if (!facts) throw new Error("No facts outside the root route.");
  return facts;
}

/** A page's or form's words with the newsletter's name as the owner has it. */
export function useNamed<Words>(words: Words): Words {
  return named(useSiteFacts().settings, words);
}

export function useOwnWords<Usual extends object>(name: FactName, usual: Usual): Usual {
  return ownWords(useSiteFacts().settings, name, usual);
}
