import { Link } from "react-router";
import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { notFound } from "#content/pages/not-found.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import { Pager } from "../../ui/pager.tsx";
import type { AllIssues, RegisterYear, YearPart } from "./all-issues.ts";
import styles from "./all-issues-sheet.css?url";
import { IssueList } from "./issue-list.tsx";
import { FailedSheet, IssuePaper } from "./issue-paper.tsx";

type AllIssuesSheetProps = { all: AllIssues; heading: string };

/** Issues by year on the printer's paper: all of them, or a year's. */
export function AllIssuesSheet({ all, heading }: AllIssuesSheetProps) {
  return (
    <IssuePaper>
      {all.state === "failed" && <FailedSheet />}
      {all.state === "not-found" && <NoSuchYear years={all.years} />}
      {all.state === "found" && <Register all={all} heading={heading} />}
    </IssuePaper>
  );
}

function NoSuchYear({ years }: { years: readonly RegisterYear[] }) {
  return (
    <div className="all-issues">
      <OwnStyles href={styles} />
      <h1>{notFound.heading}</h1>
      <p>{notFound.text}</p>
      {years.length > 0 && <Years years={years} part={null} />}
    </div>
  );
}

type RegisterProps = { all: Extract<AllIssues, { state: "found" }>; heading: string };

function Register({ all: { years, lists, part }, heading }: RegisterProps) {
  return (
    <div className="all-issues">
      <OwnStyles href={styles} />
      <h1>{heading}</h1>
      {lists.map(({ year, issues }) => (
        <section className="all-issues-year" key={year.path} aria-label={year.label}>
          {!part && (
            <h2>
              {year.label} <span className="lettering">{counted(year.count)}</span>
            </h2>
          )}
          <IssueList issues={issues} isWithAll={part !== null} />
        </section>
      ))}
      {part && <PagesOfYear part={part} />}
      {years.length > 1 && <Years years={years} part={part} />}
    </div>
  );
}

/** The way through a year that has many issues. */
function PagesOfYear({ part: { newer, older, page, pages } }: { part: YearPart }) {
  return <Pager words={allIssues.pages} page={page} pages={pages} before={newer} after={older} />;
}

/** Every year with its number of issues. */
function Years({ years, part }: { years: readonly RegisterYear[]; part: YearPart | null }) {
  return (
    <nav className="all-issues-years" aria-labelledby="all-issues-years">
      <h2 className="lettering" id="all-issues-years">
        {part ? allIssues.otherYears : newsletter.all.link}
      </h2>
      <ul>
        {years
          .filter(({ path }) => path !== part?.year.path)
          .map(({ label, path, count }) => (
            <li key={path}>
              <Link to={path}>
                <span>{label}</span> <span className="lettering">{counted(count)}</span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function counted(count: number): string {
  const { one, many } = allIssues;
  return `${count.toLocaleString("en-CA")} ${count === 1 ? one : many}`;
}
