import type { ReactNode } from "react";
import type { ShownIssue } from "./issues.ts";

type IssueArticleProps = {
  issue: ShownIssue;
  header: ReactNode;
};

/** The server made the body safe. */
export function IssueArticle({ issue, header }: IssueArticleProps) {
  return (
    <article className="issue-article">
      <header>{header}</header>
      <div
        className="issue-body below"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: prepared by prepareIssueBody, an allowlist that a body can't leave.
        dangerouslySetInnerHTML={{ __html: issue.html }}
      />
    </article>
  );
}
