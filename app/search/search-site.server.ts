import type { WithOwnWords } from "#content/own-words.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { searchWords } from "#contracts/issue.ts";
import type { SiteServices } from "#contracts/ports.ts";
import {
  type Archive,
  type FoundIssue,
  type HighlightedText,
  type IssueQuery,
  maxFoundIssues,
} from "#contracts/ports.ts";
import { issueLine } from "../newsletter/issues.ts";
import { listed } from "../newsletter/load-issues.server.ts";
import { type FoundPage, type SearchMode, searchPages } from "./search-pages.server.ts";

type SearchResult = {
  path: string;
  /** `Issue #3 • November 16, 2026` for an issue; null for a page. */
  issueLine: string | null;
  title: HighlightedText;
  excerpt: HighlightedText;
};

export type SearchOutcome = {
  /** The results of this page, best first. */
  results: SearchResult[];
  /** How many precede them. */
  before: number;
  total: number;
  /** Whether there may be more than `total`, because the search for issues is limited. */
  isAtLeast: boolean;
  /** Counted from 1. */
  page: number;
  pages: number;
  /** Whether nothing matched all the words. */
  hasSomeWordsOnly: boolean;
  /** Whether the newsletter couldn't be read, so that only pages were searched. */
  isPagesOnly: boolean;
};

const pageLength = 10;

/**
 * Pages and issues that match `query` (from `readQuery`). Title matches come first, and pages before issues. A page
 * number past the end means the last page.
 */
export async function searchSite(
  { archive, reportError, settings }: Pick<SiteServices, "archive" | "reportError" | "settings">,
  query: string,
  page = 1,
): Promise<SearchOutcome> {
  try {
    return await searchBoth(query, page, archive, settings);
  } catch (error) {
    reportError(error);
    return await searchBoth(query, page, null, settings);
  }
}

async function searchBoth(
  query: string,
  page: number,
  archive: Archive | null,
  site: WithOwnWords,
): Promise<SearchOutcome> {
  const isPagesOnly = archive === null;
  const words = searchWords(query);
  const all: IssueQuery = { words, combine: "all" };
  const withAll = (await archive?.search(all)) ?? [];
  const modes: SearchMode[] = ["as-typed", "misspelt", "some-words"];
  for (const mode of modes) {
    const some = mode === "some-words" && words.length > 1;
    const asked: IssueQuery = some ? { words, combine: "any" } : all;
    const issues = some ? ((await archive?.search(asked)) ?? []) : withAll;
    // The sort is stable: pages stay before issues.
    const found: Found[] = [...(await searchPages(query, site, mode)), ...issues].sort(
      (a, b) => Number(b.isInTitle) - Number(a.isInTitle),
    );
    const total = found.length;
    if (total === 0) continue;
    const pages = Math.ceil(total / pageLength);
    const shown = Math.min(page, pages);
    const before = (shown - 1) * pageLength;
    return {
      results: await present(found.slice(before, before + pageLength), asked, archive),
      before,
      total,
      isAtLeast: issues.length >= maxFoundIssues,
      page: shown,
      pages,
      hasSomeWordsOnly: mode === "some-words",
      isPagesOnly,
    };
  }
  const none = { results: [], before: 0, total: 0, isAtLeast: false, page: 1, pages: 1 };
  return { ...none, hasSomeWordsOnly: false, isPagesOnly };
}

type Found = FoundPage | FoundIssue;

async function present(
  found: Found[],
  query: IssueQuery,
  archive: Archive | null,
): Promise<SearchResult[]> {
  const ids = found.flatMap((result) => ("head" in result ? [result.head.id] : []));
  const excerpts = await archive?.excerpts(query, ids);
  return found.map((result) => {
    if (!("head" in result)) return result.present();
    const { head, title } = result;
    return {
      path: `${newsletter.head.path}/${head.id}`,
      issueLine: issueLine(listed(head)),
      // An issue without a title is listed by its number.
      title: title.join("").trim() ? title : [head.title],
      excerpt: excerpts?.get(head.id) ?? [],
    };
  });
}
