import { createContext, useContext } from "react";
import { type FactName, named, ownWords, pageWords } from "#content/own-words.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";

/** The firm's facts and today's date from the server. The page has them as JSON, for its pieces in the browser. */
export type SiteFacts = {
  settings: SiteSettings;
  today: string;
  year: number;
  /** Names the wording of consent that these settings make: its SHA-256, in hexadecimal. */
  wordingHash: string;
};

/** The element with the JSON. */
export const factsId = "facts";

/** Null on the error page of a failed root route. */
export const FactsContext = createContext<SiteFacts | null>(null);

export function useSiteFactsIfLoaded(): SiteFacts | null {
  return useContext(FactsContext);
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

/** A page's words with the owner's sentences. */
export function usePageWords<Page extends { head: { path: string } }>(page: Page): Page {
  return pageWords(useSiteFacts().settings, page);
}

export function useOwnWords<Usual extends object>(name: FactName, usual: Usual): Usual {
  return ownWords(useSiteFacts().settings, name, usual);
}
