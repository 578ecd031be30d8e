import { newsletter } from "#content/pages/newsletter.ts";
import type { IssueQuery, IssueSearch, SearchTerm } from "#contracts/issue-search.ts";
import { indexedForm, indexedWords, wordsOf } from "#contracts/search-words.ts";
import { type ArchiveIndex, placeOf } from "../newsletter/archive/archive-index.server.ts";
import { listedAt } from "../newsletter/archive/load-archive.server.ts";
import { issueLine } from "../newsletter/issue/issue-label.ts";
import { excerptOf, markWords } from "./mark-words.server.ts";
import type { SearchResult } from "./search-outcome.ts";
import type { SearchMode } from "./search-pages.server.ts";

/** Most different words of a query that issues are searched for. */
const maxWords = 6;

/** Shorter words are no beginnings of others: they have too many. */
const prefixMinLength = 3;

export type FoundIssue = { position: number; isInTitle: boolean };

export type IssuesOfSearch = {
  found: FoundIssue[];
  /** Makes what is shown of some of them. */
  present(issues: readonly FoundIssue[]): Promise<SearchResult[]>;
};

/** Issues that have the words: those whose titles have them first, and then the newest first. */
export async function searchIssues(
  search: IssueSearch,
  archive: ArchiveIndex,
  query: string,
  mode: SearchMode,
): Promise<IssuesOfSearch> {
  const asked = await queryOf(search, query, mode);
  const { inTitle, anywhere } =
    asked.groups.length > 0 ? await search.find(asked) : { inTitle: [], anywhere: [] };
  const titled = new Set(inTitle);
  const found = [...titled, ...anywhere.filter((id) => !titled.has(id))].flatMap((id) => {
    const { position, isThere } = placeOf(archive, id);
    return isThere ? [{ position, isInTitle: titled.has(id) }] : [];
  });
  return {
    found,
    present: (issues) => present(search, archive, issues, asked.groups.flat()),
  };
}

async function queryOf(search: IssueSearch, query: string, mode: SearchMode): Promise<IssueQuery> {
  const words = [...new Set(indexedWords(query))].slice(0, maxWords);
  const groups = words.map(async (word) => {
    const close = mode === "as-typed" ? [] : await search.closestWords(word);
    return [
      { word, isPrefix: word.length >= prefixMinLength },
      ...close.map((other) => ({ word: other, isPrefix: false })),
    ];
  });
  return { groups: await Promise.all(groups), combine: mode === "some-words" ? "any" : "all" };
}

async function present(
  search: IssueSearch,
  archive: ArchiveIndex,
  issues: readonly FoundIssue[],
  terms: readonly SearchTerm[],
): Promise<SearchResult[]> {
  const listed = issues.map(({ position }) => listedAt(archive, position));
  const texts = await search.texts(listed.map(({ id }) => id));
  return listed.map((issue) => {
    const passages = nearTerms((texts.get(issue.id) ?? "").split("\n"), terms);
    const found = wordsThatMatch([issue.title, ...passages].join("\n"), terms);
    return {
      path: `${newsletter.head.path}/${issue.id}`,
      issueLine: issueLine(issue),
      title: markWords(issue.title, found),
      excerpt: excerptOf(passages, found),
    };
  });
}

/** The passage that most likely has most of the terms, and the next: reading every word closely would take far longer. */
function nearTerms(passages: readonly string[], terms: readonly SearchTerm[]): string[] {
  let best = 0;
  let bestCount = 0;
  for (const [index, passage] of passages.entries()) {
    const text = passage.toLowerCase();
    const count = terms.filter(({ word }) => text.includes(word)).length;
    if (count > bestCount) [best, bestCount] = [index, count];
  }
  return passages.slice(best, best + 2);
}

function wordsThatMatch(text: string, terms: readonly SearchTerm[]): ReadonlySet<string> {
  const isWanted = (form: string) =>
    terms.some(({ word, isPrefix }) => (isPrefix ? form.startsWith(word) : form === word));
  return new Set(wordsOf(text).map(indexedForm).filter(isWanted));
}
