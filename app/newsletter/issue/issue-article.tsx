import { type ReactNode, useRef } from "react";
import type { ShownIssue } from "../archive/archive.ts";
import { RichIssueStyles } from "../late/rich-issue-styles.tsx";
import { issueIdAttribute, useIssueBodyHtml, useStylesFromData } from "./issue-body-html.ts";
import { useWordsOfMissingPictures } from "./missing-pictures.ts";
import "./issue-body.css";
import "./issue-article.css";

type IssueArticleProps = {
  issue: ShownIssue;
  /** The issue's title in its heading element, with what stands beside it. */
  header: ReactNode;
};

/** An issue's words on the paper. The body was made safe on the server, where the database was read. */
export function IssueArticle({ issue, header }: IssueArticleProps) {
  const html = useIssueBodyHtml(issue);
  const body = useRef<HTMLDivElement>(null);
  useStylesFromData(body, html);
  useWordsOfMissingPictures(body, html);
  return (
    <article className="issue-article">
      <RichIssueStyles html={html} />
      <header className="issue-article-header">{header}</header>
      <div
        className="issue-body"
        ref={body}
        {...{ [issueIdAttribute]: issue.id }}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: prepared by prepareIssueBody, an allowlist that a body can't leave.
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </article>
  );
}
