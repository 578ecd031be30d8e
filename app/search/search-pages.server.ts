import MiniSearch, { type SearchOptions } from "minisearch";
import { indexedForm, indexedWords, isCommonWord, wordsOf } from "#contracts/search-words.ts";
import { excerptOf, markWords } from "./mark-words.server.ts";
import { pageDocuments, type SearchDocument } from "./search-documents.server.ts";
import type { SearchResult } from "./search-outcome.ts";

/** How closely words are looked for: as typed, then misspelt ones too, then only some of them. */
export type SearchMode = "as-typed" | "misspelt" | "some-words";

const asTyped: SearchOptions = {
  combineWith: "AND",
  boost: { title: 6, headings: 3, description: 2 },
  // Short words have too many neighbours to guess at.
  prefix: (word) => word.length >= 3,
  weights: { prefix: 0.5, fuzzy: 0.25 },
};

const misspelt: SearchOptions = {
  ...asTyped,
  // Two letters that have changed places count as two changes.
  fuzzy: (word) => (word.length >= 7 ? 2 : word.length >= 5 && 1),
};

const optionsOf: Record<SearchMode, SearchOptions> = {
  "as-typed": asTyped,
  misspelt,
  "some-words": { ...misspelt, combineWith: "OR" },
};

export type FoundPage = {
  /** Whether its title alone has all the words. */
  isInTitle: boolean;
  /** Makes what is shown of it. */
  present(): SearchResult;
};

type Pages = { index: MiniSearch<SearchDocument>; documents: Map<string, SearchDocument> };

let pages: Pages | null = null;

/** The site's own pages that have the words, the best ones first. MiniSearch ranks by BM25. */
export function searchPages(query: string, mode: SearchMode): FoundPage[] {
  pages ??= indexPages();
  const { index, documents } = pages;
  const wanted = indexedWords(query);
  return index.search(query, optionsOf[mode]).flatMap(({ id, terms }) => {
    const document = documents.get(id);
    if (!document) return [];
    const title = indexedWords(document.title);
    return [
      {
        isInTitle: wanted.every((word) => title.some((own) => own.startsWith(word))),
        present: () => present(document, new Set(terms)),
      },
    ];
  });
}

function present(document: SearchDocument, words: ReadonlySet<string>): SearchResult {
  return {
    path: document.path,
    issueLine: null,
    title: markWords(document.title, words),
    excerpt: excerptOf([document.description, ...document.passages], words),
  };
}

function indexPages(): Pages {
  const index = new MiniSearch<SearchDocument>({
    idField: "path",
    fields: ["title", "headings", "description", "passages"],
    tokenize: wordsOf,
    processTerm: (word) => {
      const indexed = indexedForm(word);
      return indexed === "" || isCommonWord(indexed) ? null : indexed;
    },
  });
  const documents = pageDocuments();
  index.addAll(documents);
  return { index, documents: new Map(documents.map((document) => [document.path, document])) };
}
