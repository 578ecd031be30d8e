import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import { IssueArticle } from "../issue/issue-article.tsx";
import type { Archive } from "./archive.ts";
import { IssueSkeleton } from "./issue-skeleton.tsx";
import { LoadFailure } from "./load-failure.tsx";
import styles from "./no-issue-yet.css?url";

type IssuePaneProps = {
  /** Null while the issues are on their way. */
  archive: Archive | null;
};

/** The sheet under the masthead, in each of the page's four states. */
export function IssuePane({ archive }: IssuePaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const isRetrying = useRef(false);

  // The pressed button goes away with its card, so the focus moves to what has come in its place.
  useEffect(() => {
    if (archive === null || !isRetrying.current) return;
    isRetrying.current = false;
    pane.current?.focus({ preventScroll: true });
  }, [archive]);

  return (
    <div className="issue-pane" ref={pane} tabIndex={-1} aria-busy={archive === null}>
      {archive === null && <IssueSkeleton />}
      {archive?.state === "failed" && (
        <LoadFailure
          onRetry={() => {
            isRetrying.current = true;
          }}
        />
      )}
      {archive?.state === "empty" && <NoIssueYet />}
      {archive?.state === "has-issues" && <ChosenIssue archive={archive} />}
    </div>
  );
}

function ChosenIssue({ archive }: { archive: Extract<Archive, { state: "has-issues" }> }) {
  const { shown, askedForUnknown } = archive;
  return (
    <>
      {askedForUnknown && (
        <>
          <OwnStyles href={styles} />
          <p className="issue-note">{newsletter.archive.unknown}</p>
        </>
      )}
      <IssueArticle
        issue={shown}
        header={
          <h2>
            <Link className="issue-title-link" to={`${newsletter.head.path}/${shown.id}`}>
              {shown.title}
            </Link>
          </h2>
        }
      />
    </>
  );
}

function NoIssueYet() {
  const { heading, paragraphs, link } = newsletter.empty;
  return (
    <div className="no-issue-yet">
      <OwnStyles href={styles} />
      <h2>{heading}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p>
        <a href="#join">{link}</a>
      </p>
    </div>
  );
}
