import MiniSearch, { type SearchResult as Hit, type SearchOptions } from "minisearch";
import { indexedForm, indexedWords, isCommonWord, wordsOf } from "#contracts/search-words.ts";
import { excerptOf, formsOf, highlightWords } from "./highlight-words.server.ts";
import { pageDocuments, type SearchDocument } from "./search-documents.server.ts";
import type { SearchResult } from "./search-outcome.ts";

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

export type FoundPage = {
  /** Whether its title alone has all the words. */
  isInTitle: boolean;
  /** Makes what is shown of it. */
  present(): SearchResult;
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

/**
 * The words of the passages that were shown, as the index keeps them: the site's own words alone, so no more than it has.
 */
const formsByPassage = new Map<string, ReadonlySet<string>>();

function knownFormsOf(passage: string): ReadonlySet<string> {
  const forms = formsByPassage.get(passage) ?? formsOf(passage);
  formsByPassage.set(passage, forms);
  return forms;
}

function present(document: SearchDocument, words: ReadonlySet<string>): SearchResult {
  return {
    path: document.path,
    issueLine: null,
    title: highlightWords(document.title, words),
    excerpt: excerptOf([document.description, ...document.passages], words, knownFormsOf),
  };
}

/** The index of a page takes a millisecond or two, of all of them longer than anybody else should wait. */
const indexedAtOnce = 1;

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
  await index.addAllAsync(documents, { chunkSize: indexedAtOnce });
  const known = documents.map((page) => ({ ...page, titleWords: indexedWords(page.title) }));
  return { index, known: new Map(known.map((page) => [page.path, page])) };
}
