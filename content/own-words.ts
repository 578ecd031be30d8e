import { newsletterName } from "./site.ts";

/** The facts that the owner can change; content/site-words.ts says what each is. */
export type FactName =
  | "hours"
  | "prices"
  | "home-questions"
  | "pricing-questions"
  | "about-questions"
  | "team"
  | "newsletter"
  | "busy";

/** What the owner has changed on the desk, by the fact's name; absent where every fact has its usual words. */
export type WithOwnWords = { words?: Readonly<Record<string, object>> };

/** The owner's words for a fact over the usual ones; of a list, row by row. */
export function ownWords<Usual extends object>(
  { words }: WithOwnWords,
  name: FactName,
  usual: Usual,
): Usual {
  const own = words?.[name];
  if (!own) return usual;
  if (!Array.isArray(own)) return { ...usual, ...own };
  return own.map((row, index) => ({ ...(usual as unknown as object[])[index], ...row })) as never;
}

export function nameOfNewsletter(site: WithOwnWords): string {
  return ownWords(site, "newsletter", { name: newsletterName }).name;
}

/** The words of a page or a form with the newsletter's name as the owner has it. */
export function named<Words>(site: WithOwnWords, words: Words): Words {
  const name = nameOfNewsletter(site);
  if (name === newsletterName) return words;
  const written = JSON.stringify(name).slice(1, -1);
  return JSON.parse(JSON.stringify(words).replaceAll(newsletterName, () => written));
}
