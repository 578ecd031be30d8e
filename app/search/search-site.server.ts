import type { SearchOptions } from "minisearch";
import type { IssuesAccess } from "../newsletter/issues-client.server.ts";
import { excerptOf, markWords } from "./mark-words.server.ts";
import { currentIndex, type SearchIndex } from "./search-index.server.ts";
import type { SearchOutcome, SearchResult } from "./search-outcome.ts";

/** Most results that one page shows. */
const maxResults = 20;

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

const someWords: SearchOptions = { ...misspelt, combineWith: "OR" };

/** Pages and issues that have the words of `query` (as `readQuery` gives it), the best ones first. */
export async function searchSite(access: IssuesAccess, query: string): Promise<SearchOutcome> {
  const { index, isPagesOnly } = await currentIndex(access);
  const find = (options: SearchOptions) => {
    const found = index.words.search(query, options);
    return found.length > 0 ? found : null;
  };
  const withAll = find(asTyped) ?? find(misspelt);
  const found = withAll ?? find(someWords) ?? [];
  return {
    results: found
      .slice(0, maxResults)
      .flatMap(({ id, terms }) => describeResult(index, id, new Set(terms))),
    total: found.length,
    hasSomeWordsOnly: !withAll && found.length > 0,
    isPagesOnly,
  };
}

function describeResult(
  { documents }: SearchIndex,
  path: string,
  words: ReadonlySet<string>,
): SearchResult[] {
  const document = documents.get(path);
  if (!document) return [];
  return [
    {
      path,
      issueLine: document.issueLine,
      title: markWords(document.title, words),
      excerpt: excerptOf([document.description, ...document.passages], words),
    },
  ];
}
