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
  | "busy"
  | "footer";

/** The owner's changes by the name of a fact or a sentence; absent if there are none. */
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

/** A sentence of the owner's over the delivered one. Its name begins with its page's path: `/about#we-measure-before`. */
type OwnSentence = { over: string; text: string };

/** A page's words with the owner's sentences in place of the delivered ones. */
export function pageWords<Page extends { head: { path: string } }>(
  { words = {} }: WithOwnWords,
  page: Page,
): Page {
  const own = new Map<string, string>();
  for (const [name, sentence] of Object.entries(words)) {
    if (!name.startsWith(`${page.head.path}#`)) continue;
    const { over, text } = sentence as OwnSentence;
    own.set(over, text);
  }
  if (own.size === 0) return page;
  return JSON.parse(JSON.stringify(page), (_, value) => own.get(value) ?? value);
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
