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

/** The owner's changes by the fact's name; absent if there are none. */
export type WithOwnWords = { words?: Readonly<Record<string, object>> };

/** The owner's words for a fact over the usual ones. Each row of a list is laid over the usual row with its id. */
export function ownWords<Usual extends object>(
  { words }: WithOwnWords,
  name: FactName,
  usual: Usual,
): Usual {
  const own = words?.[name];
  if (!own) return usual;
  if (!Array.isArray(own)) return { ...usual, ...own };
  const rows = usual as unknown as readonly { id?: string }[];
  const merged = own.map((row) => ({ ...rows.find(({ id }) => id === row.id), ...row }));
  return merged as unknown as Usual;
}

export function nameOfNewsletter(site: WithOwnWords): string {
  return ownWords(site, "newsletter", { name: newsletterName }).name;
}

/** Words of a page, a form or an answer with the newsletter's name in the place of `{newsletter}`. */
export function named<Words>(site: WithOwnWords, words: Words): Words {
  const name = nameOfNewsletter(site);
  function fill(value: unknown): unknown {
    if (typeof value === "string") return value.replaceAll("{newsletter}", name);
    if (Array.isArray(value)) return value.map(fill);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
  }
  return fill(words) as Words;
}
