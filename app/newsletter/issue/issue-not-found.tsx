import { newsletter } from "#content/pages/newsletter.ts";
import type { ListedIssue } from "../archive/archive.ts";
import { Perforation } from "../archive/feed-paper.tsx";
import { NewestIssues } from "../archive/newest-issues.tsx";

/** The screen for an address that leads to no issue, with others to read. */
export function IssueNotFound({ others }: { others: readonly ListedIssue[] }) {
  const { heading, text, others: instead } = newsletter.notFound;
  return (
    <>
      <div className="issue-pane">
        <h1>{heading}</h1>
        <p className="lede mt-4">{text}</p>
      </div>
      <Perforation />
      <NewestIssues heading={instead} issues={others} />
    </>
  );
}
