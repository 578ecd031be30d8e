import type { ReactNode } from "react";
import type { ShownIssue } from "./issues.ts";

type IssueArticleProps = {
  issue: ShownIssue;
  header: ReactNode;
};

/** An issue's text. The server made the body safe when it read the database. */
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
