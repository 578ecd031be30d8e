import { createContext, useContext } from "react";
import { type FactName, named, ownWords, pageWords } from "#content/own-words.ts";
import type { SiteSettings } from "#content/site-settings.ts";

/** The page has them as JSON, for its pieces. */
export type SiteFacts = {
  settings: SiteSettings;
  today: string;
  year: number;
  /** SHA-256 in hexadecimal of the wording of consent. */
  wordingHash: string;
};

export const factsId = "facts";

/** Null on the error page of a failed root route. */
export const FactsContext = createContext<SiteFacts | null>(null);

export function useSiteFacts(): SiteFacts {
  const facts = useContext(FactsContext);
  if (!facts) throw new Error("No facts outside the root route.");
  return facts;
}

export function useNamed<Words>(words: Words): Words {
  return named(useSiteFacts().settings, words);
}

export function usePageWords<Page extends { head: { path: string } }>(page: Page): Page {
  return pageWords(useSiteFacts().settings, page);
}

export function useOwnWords<Usual extends object>(name: FactName, usual: Usual): Usual {
  return ownWords(useSiteFacts().settings, name, usual);
}
