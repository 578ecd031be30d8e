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
  /** The best ones first, no more than fit a page. */
  results: SearchResult[];
  /** How many there are in all. */
  total: number;
  /** Whether nothing had all the words, so that some had to do. */
  hasSomeWordsOnly: boolean;
  /** Whether the newsletter could not be read, so that only pages were searched. */
  isPagesOnly: boolean;
};
