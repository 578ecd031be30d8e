import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import type { ListedIssue } from "../archive/archive.ts";
import { Perforation } from "../archive/feed-paper.tsx";
import { NewestIssues } from "../archive/newest-issues.tsx";
import styles from "../archive/no-issue-yet.css?url";

/** The screen for an address that leads to no issue, with others to read. */
export function IssueNotFound({ others }: { others: readonly ListedIssue[] }) {
  const { heading, text, others: instead } = newsletter.notFound;
  return (
    <>
      <div className="issue-pane no-issue-yet">
        <OwnStyles href={styles} />
        <h1>{heading}</h1>
        <p className="lede">{text}</p>
      </div>
      <Perforation />
      <NewestIssues heading={instead} issues={others} />
    </>
  );
}
