import type { IssueSearch } from "#contracts/issue-search.ts";
import { type ArchiveIndex, currentArchive } from "../newsletter/archive/archive-index.server.ts";
import { type BodiesAccess, readerOfIssues } from "../newsletter/archive/issues-client.server.ts";
import type { SiteServices } from "../site-services.ts";
import { searchInMemory } from "./search-in-memory.server.ts";
import { type FoundIssue, type IssuesOfSearch, searchIssues } from "./search-issues.server.ts";
import type { SearchOutcome, SearchResult } from "./search-outcome.ts";
import { type FoundPage, type SearchMode, searchPages } from "./search-pages.server.ts";

/** The newest issues, which one search may have to prepare. */
const preparedAtOnce = 3;

/** Most results that one page shows: each has words of its own to be read, found and marked. */
const pageLength = 10;

type SearchAccess = BodiesAccess & Pick<SiteServices, "issueSearch">;

/** Issues as they are now; null where they can't be read. */
type SearchIssues = ((mode: SearchMode) => Promise<IssuesOfSearch>) | null;

/**
 * Pages and issues that have the words of `query` (as `readQuery` gives it). What has them in its title comes first, then
 * pages, the best first, then issues, the newest first. A page past the last one is the last one.
 */
export async function searchSite(
  access: SearchAccess,
  query: string,
  page = 1,
): Promise<SearchOutcome> {
  try {
    const archive = await currentArchive(access);
    const search = access.issueSearch ?? (await searchInMemory(access, archive));
    await prepareNewest(access, search, archive);
    return await searchBoth(query, page, searchIssues(search, archive, query));
  } catch (error) {
    access.reportError(error);
    return await searchBoth(query, page, null);
  }
}

/** An issue that has just come is found at once, without waiting for what the server does in the background. */
async function prepareNewest(
  access: BodiesAccess,
  search: IssueSearch,
  { heads }: ArchiveIndex,
): Promise<void> {
  const newest = heads.slice(0, preparedAtOnce).map(({ id }) => id);
  for (const id of await search.withoutWords(newest)) {
    const issue = await readerOfIssues(access).issue(id);
    if (issue) await access.preparedBodyOf(issue);
  }
}

async function searchBoth(
  query: string,
  page: number,
  issuesIn: SearchIssues,
): Promise<SearchOutcome> {
  const modes: SearchMode[] = ["as-typed", "misspelt", "some-words"];
  const isPagesOnly = issuesIn === null;
  const pagesIn = await searchPages(query);
  for (const mode of modes) {
    const ofSite = pagesIn(mode);
    const issues = await issuesIn?.(mode);
    const inOrder = ranked(ofSite, issues?.found ?? []);
    const total = inOrder.length;
    if (total === 0) continue;
    const pages = Math.ceil(total / pageLength);
    const shown = Math.min(page, pages);
    const before = (shown - 1) * pageLength;
    return {
      results: await present(inOrder.slice(before, before + pageLength), issues ?? null),
      before,
      total,
      isAtLeast: issues?.isAtLeast ?? false,
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

function ranked(pages: FoundPage[], issues: FoundIssue[]): Found[] {
  return [
    ...pages.filter(({ isInTitle }) => isInTitle),
    ...issues.filter(({ isInTitle }) => isInTitle),
    ...pages.filter(({ isInTitle }) => !isInTitle),
    ...issues.filter(({ isInTitle }) => !isInTitle),
  ];
}

async function present(shown: Found[], issues: IssuesOfSearch | null): Promise<SearchResult[]> {
  const shownIssues = shown.filter((result) => "position" in result);
  const presented = (await issues?.present(shownIssues)) ?? [];
  return shown.flatMap((result) =>
    "position" in result ? (presented[shownIssues.indexOf(result)] ?? []) : result.present(),
  );
}
