/** Stretches of a text in turn: at 0, 2, 4… what stands between, at 1, 3, 5… words that were looked for. */
export type HighlightedText = string[];

export type SearchResult = {
  path: string;
  /** `Issue #3 • November 16, 2026` of an issue; null for a page. */
  issueLine: string | null;
  title: HighlightedText;
  excerpt: HighlightedText;
};

export type SearchOutcome = {
  /** Those of one page, the best ones first. */
  results: SearchResult[];
  /** How many come before them. */
  before: number;
  /** How many there are in all. */
  total: number;
  /** Whether there may be more than `total`, since a search looks at so many issues and no more. */
  isAtLeast: boolean;
  /** From 1. */
  page: number;
  pages: number;
  /** Whether nothing had all the words, so that some had to do. */
  hasSomeWordsOnly: boolean;
  /** Whether the newsletter could not be read, so that only pages were searched. */
  isPagesOnly: boolean;
};
