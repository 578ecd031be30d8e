import MiniSearch, { type SearchResult as Hit, type SearchOptions } from "minisearch";
import { hours, openHours } from "#content/hours.ts";
import { type FactName, named, ownWords, type WithOwnWords } from "#content/own-words.ts";
import { contact } from "#content/pages/contact.ts";
import { pageName, type SitePage, sitePages } from "#content/site-pages.ts";
import { siteFacts } from "#content/site-words.ts";
import {
  indexedForm,
  indexedWords,
  isCommonWord,
  splitAtWords,
  wordsOf,
} from "#contracts/issue.ts";
import type { HighlightedText } from "#contracts/ports.ts";

/** In this order: as typed, misspelt words too, then only some of the words. */
export type SearchMode = "as-typed" | "misspelt" | "some-words";

/** A question of a hundred letters has about ten. */
const maxWords = 12;

const asTyped: SearchOptions = {
  combineWith: "AND",
  boost: { name: 6, title: 6, headings: 3, description: 2 },
  // Short words would match too much.
  prefix: (word) => word.length >= 3,
  weights: { prefix: 0.5, fuzzy: 0.25 },
};

const someMisspelt: SearchOptions = {
  ...asTyped,
  // A swap of two letters counts as two changes.
  fuzzy: (word) => (word.length >= 7 ? 2 : word.length >= 5 && 1),
  combineWith: "OR",
};

export type FoundPage = {
  isInTitle: boolean;
  /** Builds its title and excerpt. */
  present(): {
    path: string;
    issueLine: null;
    title: HighlightedText;
    excerpt: HighlightedText;
  };
};

let index: { words: WithOwnWords["words"]; pages: Promise<MiniSearch> } | null = null;

/** The site's pages that match, best first by MiniSearch's BM25. */
export async function searchPages(
  query: string,
  site: WithOwnWords,
  mode: SearchMode,
): Promise<FoundPage[]> {
  if (!index || index.words !== site.words) index = { words: site.words, pages: indexPages(site) };
  const pages = await index.pages;
  const wanted = indexedWords(query);
  const words = [...new Set(wordsOf(query).map(indexedForm).filter(isIndexed))].slice(0, maxWords);
  const hits = pages.search(query, {
    ...(mode === "as-typed" ? asTyped : someMisspelt),
    tokenize: () => words,
    processTerm: (word) => word,
    filter: ({ queryTerms }) => mode !== "misspelt" || queryTerms.length === words.length,
  }) as (Hit & SearchDocument)[];
  return hits.map((page) => {
    const { path, name, title, description, passages, terms } = page;
    const titleWords = indexedWords(`${name} ${title}`);
    const found = new Set(terms);
    return {
      isInTitle: wanted.every((word) => titleWords.some((own) => own.startsWith(word))),
      present: () => ({
        path,
        issueLine: null,
        title: highlightWords(name, found),
        excerpt: excerptOf([description, ...passages], found),
      }),
    };
  });
}

function isIndexed(form: string): boolean {
  return form !== "" && !isCommonWord(form);
}

async function indexPages(site: WithOwnWords): Promise<MiniSearch> {
  const pages = new MiniSearch<SearchDocument>({
    idField: "path",
    fields: ["name", "title", "headings", "description", "passages"],
    storeFields: ["path", "name", "title", "description", "passages"],
    tokenize: wordsOf,
    processTerm: (word) => {
      const form = indexedForm(word);
      return isIndexed(form) ? form : null;
    },
  });
  // One document at a time, so that other requests don't wait.
  const documents = sitePages.map((page) => named(site, pageDocument(page, site)));
  await pages.addAllAsync(documents, { chunkSize: 1 });
  return pages;
}

type SearchDocument = {
  path: string;
  name: string;
  title: string;
  headings: string;
  description: string;
  passages: string[];
};

function pageDocument({ head, ...words }: SitePage, site: WithOwnWords): SearchDocument {
  const found: Collected = { headings: [], passages: [] };
  collect(words, found, site);
  if (head.path === contact.head.path)
    found.headings.push(openHours(ownWords(site, "hours", hours)));
  return {
    path: head.path,
    name: pageName({ head }),
    title: head.title,
    headings: found.headings.join("\n"),
    description: head.description,
    passages: found.passages,
  };
}

type Collected = { headings: string[]; passages: string[] };

/** Keys of content modules whose values aren't visible words. */
const wordless = new Set(["path", "id", "source", "sheet", "step", "failure", "empty", "notFound"]);

/** Excerpts are made of sentences; a heading, a label or a table's cell is found, but not quoted. */
function isSentence(text: string): boolean {
  return /[.!?]\S?$/.test(text) && text.split(" ").length >= 4;
}

const factOf = new Map<unknown, FactName>(
  Object.entries(siteFacts).map(([name, { usual }]) => [usual, name as FactName]),
);

/** Collects a page's words, as the owner has them, from content of any shape. */
function collect(usual: unknown, found: Collected, site: WithOwnWords): void {
  const fact = factOf.get(usual);
  const value = fact ? ownWords(site, fact, usual as object) : usual;
  if (typeof value === "string") {
    (isSentence(value) ? found.passages : found.headings).push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, found, site);
  } else if (value && typeof value === "object") {
    for (const [inner, item] of Object.entries(value)) {
      if (!wordless.has(inner)) collect(item, found, site);
    }
  }
}

/** In characters: an excerpt's length, and its part before the first match. */
const excerptLength = { whole: 220, before: 70 };

function highlightWords(text: string, found: ReadonlySet<string>): HighlightedText {
  const highlighted: HighlightedText = [""];
  for (const { text: part, isWord } of splitAtWords(text)) {
    if (isWord && found.has(indexedForm(part))) highlighted.push(part, "");
    else highlighted[highlighted.length - 1] += part;
  }
  if (highlighted.at(-1) === "") highlighted.pop();
  return highlighted;
}

function formsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(indexedForm));
}

/** The passage with most of the words, or else the first, cut to a few lines around the first of them. */
function excerptOf(passages: readonly string[], found: ReadonlySet<string>): HighlightedText {
  let best = passages[0] ?? "";
  let bestCount = 0;
  for (const passage of passages) {
    const count = found.intersection(formsOf(passage)).size;
    if (count > bestCount) [best, bestCount] = [passage, count];
  }
  return highlightWords(cutAround(best, found), found);
}

function cutAround(passage: string, found: ReadonlySet<string>): string {
  const text = passage.replace(/\s+/g, " ").trim();
  if (text.length <= excerptLength.whole) return text;
  const start = Math.max(0, firstMatch(text, found) - excerptLength.before);
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1;
  const to = text.lastIndexOf(" ", from + excerptLength.whole);
  const isWhole = from + excerptLength.whole >= text.length;
  const cut = isWhole ? text.slice(from) : text.slice(from, Math.max(to, from + 1));
  // Drops words of one or two letters at the end, which could wrap to a line of their own.
  const end = isWhole ? cut : `${cut.replace(/(?: \S{1,2})+$/, "")} …`;
  return `${from > 0 ? "… " : ""}${end}`;
}

function firstMatch(text: string, found: ReadonlySet<string>): number {
  let position = 0;
  for (const { text: part, isWord } of splitAtWords(text)) {
    if (isWord && found.has(indexedForm(part))) return position;
    position += part.length;
  }
  return 0;
}
