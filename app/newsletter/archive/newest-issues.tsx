import type { ListedIssue } from "./archive.ts";
import { IssueList } from "./issue-list.tsx";
import { useNewestIssues } from "./use-newest-issues.ts";

type NewestIssuesProps = { heading: string; issues: readonly ListedIssue[] | null };

/** The newest issues, and the way to all of them. */
export function NewestIssues({ heading, issues }: NewestIssuesProps) {
  return (
    <>
      <h2 className="lettering feed-bar">{heading}</h2>
      <IssueList issues={useNewestIssues(issues)} isWithAll />
    </>
  );
}
