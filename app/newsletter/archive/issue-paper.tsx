import type { ReactNode } from "react";
import { Link } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import styles from "./back-to-archive.css?url";
import { FeedBar, FeedPaper, Perforation } from "./feed-paper.tsx";
import { LoadFailure } from "./load-failure.tsx";
import { NewsletterNameplate } from "./newsletter-masthead.tsx";

/** The printer's paper beside the archive: the way back, the nameplate, and a sheet below. */
export function IssuePaper({ children }: { children: ReactNode }) {
  return (
    <FeedPaper>
      <FeedBar>
        <Link className="back-to-archive" to={newsletter.head.path}>
          <OwnStyles href={styles} />
          <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
            <path d="M20 6H2m5-5L2 6l5 5" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
          {newsletter.issue.back}
        </Link>
      </FeedBar>
      <NewsletterNameplate />
      <Perforation />
      {children}
    </FeedPaper>
  );
}

/** Its sheet where the newsletter can't be read. */
export function FailedSheet() {
  return (
    <div className="issue-pane">
      <LoadFailure isPageHeading />
    </div>
  );
}
