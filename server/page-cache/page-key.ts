/** How long pages are kept. Those that show issues are looked at anew each second, so that a published one appears. */
const marketingKeptMs = 10 * 60_000;
const issuesKeptMs = 1_000;

const issuePaths = /^\/(newsletter(\/[1-9]\d*)?|sitemap\.xml|feed\.xml|atom\.xml)$/;
/** What depends on more than the address, or is asked for in endless variety. */
const neverKept =
  /^\/(newsletter\/(confirm|unsubscribe)|search|healthz|readyz|rest|functions|assets)(\/|$)/;
const issueQuery = /(?:^|&)issue=([1-9]\d{0,15})(?:&|$)/;

const targetMaxLength = 256;

export type PageKey = { key: string; keptMs: number };

/** Whether the page shows issues, so that a new one changes it. */
export function isAboutIssues({ keptMs }: PageKey): boolean {
  return keptMs === issuesKeptMs;
}

/**
 * The key under which a page is kept: its path, and of its query only what the page depends on, so that tracking
 * parameters don't make copies. Null where the address is not one whose answer is kept.
 */
export function pageKey(target: string): PageKey | null {
  if (target.length > targetMaxLength) return null;
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  if (neverKept.test(path) || path.includes("%") || path.includes("//")) return null;
  const showsIssues = issuePaths.test(path.replace(/\.data$/, ""));
  if (mark < 0) return { key: path, keptMs: showsIssues ? issuesKeptMs : marketingKeptMs };
  if (path.endsWith(".data")) return null;
  const query = target.slice(mark + 1);
  if (path === "/newsletter" && query.includes("issue=")) {
    const issue = issueQuery.exec(query)?.[1];
    return issue ? { key: `${path}?issue=${issue}`, keptMs: issuesKeptMs } : null;
  }
  return { key: path, keptMs: showsIssues ? issuesKeptMs : marketingKeptMs };
}
