import { Link } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { type ListedIssue, listLine } from "../issues.ts";
import "./issue-list.css";

type IssueListProps = { issues: readonly ListedIssue[]; isWithAll?: boolean };

/** Issues with title, number and date, and a link to all issues. */
export function IssueList({ issues, isWithAll = false }: IssueListProps) {
  const { path, link } = newsletter.all;
  return (
    <ul className="issue-list">
      {issues.map((issue) => (
        <li key={issue.id}>
          <Link to={`${newsletter.head.path}/${issue.id}`}>{issue.title}</Link>{" "}
          <span className="lettering">{listLine(issue)}</span>
        </li>
      ))}
      {isWithAll && (
        <li>
          <Link to={path}>{link}</Link>
        </li>
      )}
    </ul>
  );
}

export function NewestIssues({ heading, issues }: IssueListProps & { heading: string }) {
  return (
    <>
      <h2 className="lettering feed-bar">{heading}</h2>
      <IssueList issues={issues} isWithAll />
    </>
  );
}
