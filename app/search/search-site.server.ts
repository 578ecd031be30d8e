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

/** Most results that one page shows. */
const maxResults = 20;

type SearchAccess = BodiesAccess & Pick<SiteServices, "issueSearch">;

/** Issues as they are now; null where they can't be read. */
type SearchIssues = ((mode: SearchMode) => Promise<IssuesOfSearch>) | null;

/**
 * Pages and issues that have the words of `query` (as `readQuery` gives it). What has them in its title comes first, then
 * pages, the best first, then issues, the newest first.
 */
export async function searchSite(access: SearchAccess, query: string): Promise<SearchOutcome> {
  try {
    const archive = await currentArchive(access);
    const search = access.issueSearch ?? (await searchInMemory(access, archive));
    await prepareNewest(access, search, archive);
    return await searchBoth(query, searchIssues(search, archive, query));
  } catch (error) {
    access.reportError(error);
    return await searchBoth(query, null);
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

async function searchBoth(query: string, issuesIn: SearchIssues): Promise<SearchOutcome> {
  const modes: SearchMode[] = ["as-typed", "misspelt", "some-words"];
  const pagesIn = await searchPages(query);
  for (const mode of modes) {
    const pages = pagesIn(mode);
    const issues = await issuesIn?.(mode);
    const total = pages.length + (issues?.found.length ?? 0);
    if (total === 0) continue;
    return {
      results: await present(pages, issues ?? null),
      total,
      hasSomeWordsOnly: mode === "some-words",
      isPagesOnly: issuesIn === null,
    };
  }
  return { results: [], total: 0, hasSomeWordsOnly: false, isPagesOnly: issuesIn === null };
}

async function present(pages: FoundPage[], issues: IssuesOfSearch | null): Promise<SearchResult[]> {
  const ofIssues = issues?.found ?? [];
  const inOrder: (FoundPage | FoundIssue)[] = [
    ...pages.filter(({ isInTitle }) => isInTitle),
    ...ofIssues.filter(({ isInTitle }) => isInTitle),
    ...pages.filter(({ isInTitle }) => !isInTitle),
    ...ofIssues.filter(({ isInTitle }) => !isInTitle),
  ].slice(0, maxResults);
  const shownIssues = inOrder.filter((result) => "position" in result);
  const presented = (await issues?.present(shownIssues)) ?? [];
  return inOrder.flatMap((result) =>
    "position" in result ? (presented[shownIssues.indexOf(result)] ?? []) : result.present(),
  );
}
