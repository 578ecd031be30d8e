import { Link } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import type { IssueNeighbour } from "./issue-page.ts";

type IssueNeighboursProps = { older: IssueNeighbour | null; newer: IssueNeighbour | null };

/** The way to the issues before and after this one. */
export function IssueNeighbours({ older, newer }: IssueNeighboursProps) {
  if (!older && !newer) return null;
  return (
    <nav className="issue-neighbours" aria-label={newsletter.issue.neighbours}>
      {older && <NeighbourLink label={newsletter.issue.older} issue={older} />}
      {newer && <NeighbourLink label={newsletter.issue.newer} issue={newer} isNewer />}
    </nav>
  );
}

type NeighbourLinkProps = { label: string; issue: IssueNeighbour; isNewer?: boolean };

function NeighbourLink({ label, issue, isNewer = false }: NeighbourLinkProps) {
  return (
    <Link
      className={`issue-neighbour ${isNewer ? "issue-neighbour-newer" : ""}`}
      to={`${newsletter.head.path}/${issue.id}`}
      rel={isNewer ? "next" : "prev"}
    >
      <span className="lettering">{label}</span>
      <span className="issue-neighbour-title">{issue.title}</span>
    </Link>
  );
}
