/** A word to find, as `indexedWords` gives it; a prefix stands for every word that begins with it. */
export type SearchTerm = { word: string; isPrefix: boolean };

/** What is looked for: of each group one term, in all of the groups or in any. */
export type IssueQuery = { groups: SearchTerm[][]; combine: "all" | "any" };

/** Ids of issues, newest first. */
export type FoundIssues = {
  /** Those whose titles have what is looked for. */
  inTitle: number[];
  /** Those that have it anywhere, the newest {@link maxFoundIssues} of them. */
  anywhere: number[];
};

/** Most issues that one search looks at: what it costs doesn't grow with the archive. */
export const maxFoundIssues = 200;

/** How issues are searched: by an index in the database, or by what is in memory. */
export type IssueSearch = {
  find(query: IssueQuery): Promise<FoundIssues>;
  /** Words of issues that are spelled like this one, the likeliest first. */
  closestWords(word: string): Promise<string[]>;
  /** Those of these issues that can't be found yet: they have just come, and not by `issues publish`. */
  withoutWords(ids: readonly number[]): Promise<number[]>;
  /** The words of issues, a paragraph a line. */
  texts(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
};
