import type { ListedIssue } from "./archive.ts";
import { IssueList } from "./issue-list.tsx";

type NewestIssuesProps = { heading: string; issues: readonly ListedIssue[] };

/** The newest issues, and the way to all of them. */
export function NewestIssues({ heading, issues }: NewestIssuesProps) {
  return (
    <>
      <h2 className="lettering feed-bar">{heading}</h2>
      <IssueList issues={issues} isWithAll />
    </>
  );
}
