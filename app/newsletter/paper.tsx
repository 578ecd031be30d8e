import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { named, nameOfNewsletter } from "#content/own-words.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { newsletterName } from "#content/site.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { DotMatrix } from "../drawings/dot-matrix.tsx";
import { pageSharePicture, siteSharePicture } from "../seo/page-meta.ts";
import { useNamed } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { type ListedIssue, listLine, type ShownIssue } from "./issues.ts";
import { SubscribeForm } from "./subscribe-form.tsx";

export function Paper({ children }: { children: ReactNode }) {
  return (
    <div className="feed">
      <div className="paper">
        {children}
        <div className="paper-tear" aria-hidden="true" />
      </div>
    </div>
  );
}

export function Nameplate() {
  return (
    <>
      <p className="nameplate nameplate-small">
        <DotMatrix text={useNamed(newsletter.name)} />
      </p>
      <hr className="paper-perforation" />
    </>
  );
}

type IssuePaperProps = { children: ReactNode; tornOff?: ReactNode };

export function IssuePaper({ children, tornOff }: IssuePaperProps) {
  const head = (
    <>
      <div className="paper-bar apart">
        <Link to={newsletter.head.path}>
          <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
            <path d="M20 6H2m5-5L2 6l5 5" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
          {newsletter.issue.back}
        </Link>
      </div>
      <Nameplate />
    </>
  );
  return (
    <>
      {tornOff && (
        <Paper>
          {head}
          {tornOff}
        </Paper>
      )}
      <Paper>
        {!tornOff && head}
        {children}
        <section className="paper-sign-up" aria-labelledby="sign-up-heading">
          <h2 className="title" id="sign-up-heading">
            {newsletter.issue.signUp}
          </h2>
          <SubscribeForm />
        </section>
      </Paper>
    </>
  );
}

export function FailedSheet() {
  return (
    <div className="issue-pane">
      <LoadFailure isPageHeading />
    </div>
  );
}

/** A form works without scripts. */
export function LoadFailure({ isPageHeading = false }: { isPageHeading?: boolean }) {
  const { heading, text, next, retry } = newsletter.failure;
  const { pathname, search } = useLocation();
  const Heading = isPageHeading ? "h1" : "h2";
  const chosen = new URLSearchParams(search).get("issue");
  return (
    <section aria-labelledby="load-failure-heading">
      <Heading className="title" id="load-failure-heading">
        {heading}
      </Heading>
      <div className="below" role="alert">
        <p>{text}</p>
        <p>{next}</p>
      </div>
      <form className="actions" action={pathname}>
        {chosen && <input type="hidden" name="issue" value={chosen} />}
        <button type="submit" className="button">
          {retry}
        </button>
      </form>
    </section>
  );
}

/** Scanned down its dates. */
export function IssueLedger({ issues }: { issues: readonly ListedIssue[] }) {
  return (
    <ol className="issue-ledger rows keyed linked below">
      {issues.map(({ firstLine, ...issue }) => (
        <li key={issue.id}>
          <p className="lettering">{listLine(issue)}</p>
          <div>
            <h3>
              <Link to={`${newsletter.head.path}/${issue.id}`}>{issue.title}</Link>
            </h3>
            {firstLine && <p>{firstLine}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

type Way = { key: string; path: string; name: string; rel?: string };

export function wayTo({ id, title }: ListedIssue, key: string, rel?: string): Way {
  return { key, path: `${newsletter.head.path}/${id}`, name: title, rel };
}

/** Beside an issue. */
export function WaysOn({ heading, ways }: { heading: string; ways: readonly Way[] }) {
  return (
    <nav className="issue-ways paper-bar" aria-labelledby="issue-ways-heading">
      <h2 className="small-title" id="issue-ways-heading">
        {heading}
      </h2>
      <ul className="rows">
        {ways.map(({ key, path, name, rel }) => (
          <li key={key}>
            <p className="lettering accent">{key}</p>
            <Link to={path} rel={rel}>
              {name}
            </Link>
          </li>
        ))}
        <li>
          <Link to={newsletter.all.path}>{newsletter.all.link}</Link>
        </li>
      </ul>
    </nav>
  );
}

/** The picture contains the newsletter's usual name. */
export function newsletterSharePicture(settings: SiteSettings) {
  const isRenamed = nameOfNewsletter(settings) !== newsletterName;
  return isRenamed ? siteSharePicture : pageSharePicture(named(settings, newsletter.head));
}

/** Its header is given; the server made the body safe. */
export function IssueArticle({ issue, children }: { issue: ShownIssue; children: ReactNode }) {
  return (
    <article className="issue-article">
      <header>
        <p className="issue-number" aria-hidden="true">
          <DotMatrix text={`#${issue.number}`} />
        </p>
        {children}
      </header>
      <div
        className="issue-body below"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: prepared by prepareIssueBody, an allowlist that a body can't leave.
        dangerouslySetInnerHTML={{ __html: issue.html }}
      />
    </article>
  );
}
