import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import { IssueArticle } from "../issue/issue-article.tsx";
import type { ArchivePage } from "../issues.ts";
import { LoadFailure } from "./feed-paper.tsx";
import skeletonStyles from "./issue-skeleton.css?url";
import styles from "./no-issue-yet.css?url";

type IssuePaneProps = {
  /** Null while loading. */
  archive: ArchivePage | null;
};

/** The sheet below the masthead, in each of the page's four states. */
export function IssuePane({ archive }: IssuePaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const isRetrying = useRef(false);

  // The pressed retry button disappears, so the focus moves to its replacement.
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

function ChosenIssue({ archive }: { archive: Extract<ArchivePage, { state: "has-issues" }> }) {
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

/** Lines per paragraph of the skeleton. */
const paragraphs = [4, 3, 5, 3];

function IssueSkeleton() {
  return (
    <div className="issue-skeleton">
      <OwnStyles href={skeletonStyles} />
      <p className="sr-only" role="status">
        {newsletter.archive.loading}
      </p>
      <div aria-hidden="true">
        <span className="skeleton-line skeleton-title" />
        <span className="skeleton-line skeleton-title skeleton-short" />
        {paragraphs.map((lines, paragraph) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <div className="skeleton-paragraph" key={paragraph}>
            {Array.from({ length: lines }, (_, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
              <span className="skeleton-line" key={line} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
