import MiniSearch, { type SearchResult as Hit, type SearchOptions } from "minisearch";
import { type SitePage, sitePages } from "#content/site-pages.ts";
import {
  indexedForm,
  indexedWords,
  isCommonWord,
  splitAtWords,
  wordsOf,
} from "#contracts/issue.ts";
import type { HighlightedText } from "#contracts/ports.ts";

/** How closely words are looked for: as typed, then misspelt ones too, then only some of them. */
export type SearchMode = "as-typed" | "misspelt" | "some-words";

/** Most different words of a query that pages are searched for. A question of a hundred letters has some ten. */
const maxWords = 12;

const asTyped: SearchOptions = {
  combineWith: "AND",
  boost: { title: 6, headings: 3, description: 2 },
  // Short words have too many neighbours to guess at.
  prefix: (word) => word.length >= 3,
  weights: { prefix: 0.5, fuzzy: 0.25 },
};

const someMisspelt: SearchOptions = {
  ...asTyped,
  // Two letters that have changed places count as two changes.
  fuzzy: (word) => (word.length >= 7 ? 2 : word.length >= 5 && 1),
  combineWith: "OR",
};

type ShownPage = {
  path: string;
  issueLine: null;
  title: HighlightedText;
  excerpt: HighlightedText;
};

export type FoundPage = {
  /** Whether its title alone has all the words. */
  isInTitle: boolean;
  /** Makes what is shown of it. */
  present(): ShownPage;
};

type KnownPage = SearchDocument & { titleWords: string[] };
type Pages = { index: MiniSearch<SearchDocument>; known: Map<string, KnownPage> };

let pages: Promise<Pages> | null = null;

/**
 * The site's own pages that have the words, the best ones first. MiniSearch ranks by BM25. Looking for what words may be
 * misspelt for is most of the work, and is done once: pages that have all of them are among those that have some.
 */
export async function searchPages(query: string): Promise<(mode: SearchMode) => FoundPage[]> {
  pages ??= indexPages();
  const { index, known } = await pages;
  const wanted = indexedWords(query);
  const words = [...new Set(wordsOf(query).map(indexedForm).filter(isIndexed))].slice(0, maxWords);
  const asked: SearchOptions = { tokenize: () => words, processTerm: (word) => word };
  let some: Hit[] | null = null;

  function hitsOf(mode: SearchMode): Hit[] {
    if (mode === "as-typed") return index.search(query, { ...asTyped, ...asked });
    some ??= index.search(query, { ...someMisspelt, ...asked });
    if (mode === "some-words") return some;
    return some.filter(({ queryTerms }) => queryTerms.length === words.length);
  }

  return (mode) =>
    hitsOf(mode).flatMap(({ id, terms }) => {
      const page = known.get(id);
      if (!page) return [];
      return [
        {
          isInTitle: wanted.every((word) => page.titleWords.some((own) => own.startsWith(word))),
          present: () => present(page, new Set(terms)),
        },
      ];
    });
}

function isIndexed(form: string): boolean {
  return form !== "" && !isCommonWord(form);
}

function present(document: SearchDocument, words: ReadonlySet<string>): ShownPage {
  return {
    path: document.path,
    issueLine: null,
    title: highlightWords(document.title, words),
    excerpt: excerptOf([document.description, ...document.passages], words),
  };
}

async function indexPages(): Promise<Pages> {
  const index = new MiniSearch<SearchDocument>({
    idField: "path",
    fields: ["title", "headings", "description", "passages"],
    tokenize: wordsOf,
    processTerm: (word) => {
      const form = indexedForm(word);
      return isIndexed(form) ? form : null;
    },
  });
  const documents = pageDocuments();
  // A page at a time: all of them take longer than other visitors should wait.
  await index.addAllAsync(documents, { chunkSize: 1 });
  const known = documents.map((page) => ({ ...page, titleWords: indexedWords(page.title) }));
  return { index, known: new Map(known.map((page) => [page.path, page])) };
}

/** A page as it is found: by its words in order, a paragraph each. */
type SearchDocument = {
  path: string;
  title: string;
  headings: string;
  description: string;
  passages: string[];
};

function pageDocuments(): SearchDocument[] {
  return sitePages.map(pageDocument);
}

function pageDocument({ head, ...words }: SitePage): SearchDocument {
  const found: Collected = { headings: [], passages: [] };
  collect(words, "", found);
  return {
    path: head.path,
    title: head.title,
    headings: found.headings.join("\n"),
    description: head.description,
    passages: found.passages,
  };
}

type Collected = { headings: string[]; passages: string[] };

/** Keys of the content modules whose values are no words, or not on the page when it opens. */
const wordless = new Set(["path", "id", "source", "sheet", "step", "failure", "empty", "notFound"]);
const headingKeys = new Set(["heading", "title", "question", "label", "name"]);

/** Walks a page's words, whatever their shape. */
function collect(value: unknown, key: string, found: Collected): void {
  if (typeof value === "string") {
    (headingKeys.has(key) ? found.headings : found.passages).push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, key, found);
  } else if (value && typeof value === "object") {
    for (const [inner, item] of Object.entries(value)) {
      if (!wordless.has(inner)) collect(item, inner, found);
    }
  }
}

/**
 * How long an excerpt is, about, how much of it stands before the first word that was found, and how short a passage
 * is that the next one follows. In characters.
 */
const excerptLength = { whole: 220, before: 70, short: 90 };

/** The text with each word highlighted that is one of `found`. */
function highlightWords(text: string, found: ReadonlySet<string>): HighlightedText {
  const highlighted: HighlightedText = [""];
  for (const { text: part, isWord } of splitAtWords(text)) {
    if (isWord && found.has(indexedForm(part))) highlighted.push(part, "");
    else highlighted[highlighted.length - 1] += part;
  }
  if (highlighted.at(-1) === "") highlighted.pop();
  return highlighted;
}

/** The words of a text, as the index keeps them. */
function formsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(indexedForm));
}

/** The passage that has most of the words, cut to a few lines around the first of them. */
function excerptOf(passages: readonly string[], found: ReadonlySet<string>): HighlightedText {
  let best = 0;
  let bestCount = 0;
  for (const [index, passage] of passages.entries()) {
    const count = found.intersection(formsOf(passage)).size;
    if (count > bestCount) [best, bestCount] = [index, count];
  }
  const [passage = "", next] = passages.slice(best, best + 2);
  const isShort = passage.length < excerptLength.short && next !== undefined;
  return highlightWords(cutAround(isShort ? `${passage} … ${next}` : passage, found), found);
}

function cutAround(passage: string, found: ReadonlySet<string>): string {
  const text = passage.replace(/\s+/g, " ").trim();
  if (text.length <= excerptLength.whole) return text;
  const start = Math.max(0, firstMatch(text, found) - excerptLength.before);
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1;
  const to = text.lastIndexOf(" ", from + excerptLength.whole);
  const isWhole = from + excerptLength.whole >= text.length;
  const cut = isWhole ? text.slice(from) : text.slice(from, Math.max(to, from + 1));
  // A word of a letter or two says nothing at the end, and may stand there in a line by itself.
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
