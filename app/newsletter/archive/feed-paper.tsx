import type { ReactNode } from "react";
import { Form, Link, useLocation } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { DotMatrix } from "../../drawings/dot-matrix.tsx";
import { OwnStyles } from "../../ui/own-styles.tsx";
import backStyles from "./back-to-archive.css?url";
import noIssueStyles from "./no-issue-yet.css?url";
import "./feed-paper.css";
import "./newsletter-masthead.css";

/** Continuous printer paper with holes in both margins, torn off at the last perforation. */
export function FeedPaper({ children }: { children: ReactNode }) {
  return (
    <div className="feed">
      <div className="feed-paper">
        {children}
        <div className="feed-tear" aria-hidden="true" />
      </div>
    </div>
  );
}

export function Perforation() {
  return <div className="feed-perforation" aria-hidden="true" />;
}

export function FeedBar({ children }: { children: ReactNode }) {
  return <div className="feed-bar">{children}</div>;
}

export function NewsletterMasthead() {
  return (
    <div className="newsletter-masthead">
      <h1>
        <DotMatrix text={newsletter.name} printed />
      </h1>
      <p className="newsletter-intro">{newsletter.intro}</p>
    </div>
  );
}

/** The paper of an issue or a list: the bar, the nameplate, and a sheet below. */
export function IssuePaper({ children }: { children: ReactNode }) {
  return (
    <FeedPaper>
      <FeedBar>
        <Link className="back-to-archive" to={newsletter.head.path}>
          <OwnStyles href={backStyles} />
          <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
            <path d="M20 6H2m5-5L2 6l5 5" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
          {newsletter.issue.back}
        </Link>
      </FeedBar>
      <p className="newsletter-masthead newsletter-nameplate">
        <DotMatrix text={newsletter.name} />
      </p>
      <Perforation />
      {children}
    </FeedPaper>
  );
}

/** The sheet if the newsletter can't be read. */
export function FailedSheet() {
  return (
    <div className="issue-pane">
      <LoadFailure isPageHeading />
    </div>
  );
}

type LoadFailureProps = {
  onRetry?: () => void;
  /** Whether it is the page's only h1. */
  isPageHeading?: boolean;
};

/** The retry button is a plain form, so that it works without scripts. */
export function LoadFailure({ onRetry, isPageHeading = false }: LoadFailureProps) {
  const { lead, heading, text, retry } = newsletter.failure;
  const { pathname, search } = useLocation();
  const Heading = isPageHeading ? "h1" : "h2";
  const chosen = new URLSearchParams(search).get("issue");
  return (
    <section className="sheet no-issue-yet load-failure" aria-labelledby="load-failure-heading">
      <OwnStyles href={noIssueStyles} />
      <p className="lede">{lead}</p>
      <Heading id="load-failure-heading">{heading}</Heading>
      <p>{text}</p>
      <Form method="get" action={pathname} preventScrollReset onSubmit={onRetry}>
        {chosen && <input type="hidden" name="issue" value={chosen} />}
        <button type="submit" className="button">
          {retry}
        </button>
      </Form>
    </section>
  );
}
