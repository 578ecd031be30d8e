import { newsletter } from "#content/pages/newsletter.ts";
import {
  type FoundIssues,
  type IssueQuery,
  type IssueSearch,
  maxFoundIssues,
  type SearchTerm,
} from "#contracts/issue-search.ts";
import { indexedForm, indexedWords, wordsOf } from "#contracts/search-words.ts";
import { type ArchiveIndex, placeOf } from "../newsletter/archive/archive-index.server.ts";
import { listedAt } from "../newsletter/archive/load-archive.server.ts";
import { issueLine } from "../newsletter/issue/issue-label.ts";
import { excerptOf, highlightWords } from "./highlight-words.server.ts";
import type { SearchResult } from "./search-outcome.ts";
import type { SearchMode } from "./search-pages.server.ts";

/** Most different words of a query that issues are searched for. */
const maxWords = 6;

/** Shorter words are no beginnings of others: they have too many. */
const prefixMinLength = 3;

export type FoundIssue = { position: number; isInTitle: boolean };

export type IssuesOfSearch = {
  found: FoundIssue[];
  /** Whether there may be more, which were not looked at. */
  isAtLeast: boolean;
  /** Makes what is shown of some of them. */
  present(issues: readonly FoundIssue[]): Promise<SearchResult[]>;
};

/**
 * Issues that have the words: those whose titles have them first, and then the newest first. What was looked for once is
 * not looked for again where another mode asks for the same.
 */
export function searchIssues(
  search: IssueSearch,
  archive: ArchiveIndex,
  query: string,
): (mode: SearchMode) => Promise<IssuesOfSearch> {
  const words = [...new Set(indexedWords(query))].slice(0, maxWords);
  const asTyped = words.map((word) => [{ word, isPrefix: word.length >= prefixMinLength }]);
  const asked = new Map<string, Promise<FoundIssues>>();
  let misspelt: Promise<SearchTerm[][]> | null = null;

  function find(wanted: IssueQuery): Promise<FoundIssues> {
    const combine = wanted.groups.length > 1 ? wanted.combine : "all";
    const key = JSON.stringify([combine, wanted.groups]);
    const found = asked.get(key) ?? search.find({ ...wanted, combine });
    asked.set(key, found);
    return found;
  }

  return async (mode) => {
    if (mode !== "as-typed") misspelt ??= withClosest(search, asTyped);
    const groups = mode === "as-typed" || !misspelt ? asTyped : await misspelt;
    const { inTitle, anywhere } =
      groups.length > 0
        ? await find({ groups, combine: mode === "some-words" ? "any" : "all" })
        : { inTitle: [], anywhere: [] };
    const titled = new Set(inTitle);
    const found = [...titled, ...anywhere.filter((id) => !titled.has(id))].flatMap((id) => {
      const { position, isThere } = placeOf(archive, id);
      return isThere ? [{ position, isInTitle: titled.has(id) }] : [];
    });
    return {
      found,
      isAtLeast: anywhere.length >= maxFoundIssues,
      present: (issues) => present(search, archive, issues, groups.flat()),
    };
  };
}

/** Each group with the words that its first may be misspelt for. */
function withClosest(search: IssueSearch, groups: SearchTerm[][]): Promise<SearchTerm[][]> {
  const closest = groups.map(async (group) => {
    const close = (await search.closestWords(group[0]?.word ?? "")).map((word) => ({
      word,
      isPrefix: false,
    }));
    return [...group, ...close];
  });
  return Promise.all(closest);
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
    const passages = nearTerms(texts.get(issue.id) ?? "", terms);
    const found = wordsThatMatch([issue.title, ...passages].join("\n"), terms);
    return {
      path: `${newsletter.head.path}/${issue.id}`,
      issueLine: issueLine(issue),
      title: highlightWords(issue.title, found),
      excerpt: excerptOf(passages, found),
    };
  });
}

/** The passage that most likely has most of the terms, and the next: reading every word closely would take far longer. */
function nearTerms(text: string, terms: readonly SearchTerm[]): string[] {
  const lower = text.toLowerCase();
  // Most of the words that one may be misspelt for stand nowhere in a text.
  const there = terms.filter(({ word }) => lower.includes(word));
  let best = 0;
  let bestCount = 0;
  for (const [index, passage] of lower.split("\n").entries()) {
    const count = there.filter(({ word }) => passage.includes(word)).length;
    if (count > bestCount) [best, bestCount] = [index, count];
    if (bestCount === there.length) break;
  }
  return text.split("\n", best + 2).slice(best);
}

function wordsThatMatch(text: string, terms: readonly SearchTerm[]): ReadonlySet<string> {
  const isWanted = (form: string) =>
    terms.some(({ word, isPrefix }) => (isPrefix ? form.startsWith(word) : form === word));
  return new Set(wordsOf(text).map(indexedForm).filter(isWanted));
}
