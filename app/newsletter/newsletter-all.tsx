import type { LoaderFunctionArgs } from "react-router";
import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { notFound } from "#content/pages/not-found.ts";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { Link } from "../ui/link.tsx";
import type { Route } from "./+types/newsletter-all";
import type { AllIssues, RegisterYear } from "./issues.ts";
import { loadAllIssues, loadIssueYear } from "./load-issues.server.ts";
import { FailedSheet, IssueList, IssuePaper, newsletterSharePicture } from "./paper.tsx";

export function loader({ params, context }: LoaderFunctionArgs) {
  const site = context.get(siteContext);
  return params.year ? loadIssueYear(site, params.year) : loadAllIssues(site);
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData: all }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  const { head, name } = newsletter;
  if (all?.state === "failed") return pageMeta({ ...head, noIndex: true }, settings);
  if (all?.state !== "found") {
    return pageMeta({ ...notFound.head, path: head.path, noIndex: true }, settings);
  }
  const picture = newsletterSharePicture(settings);
  const { year } = all;
  if (!year) return pageMeta({ ...allIssues.head, picture }, settings);
  const title = `${headingOf(year)} | ${name}`;
  const description = isDated(year)
    ? `${allIssues.yearDescription} ${year.label}.`
    : allIssues.undatedDescription;
  return pageMeta({ title, description, path: year.path, picture }, settings);
}

export default function AllIssuesPage({ loaderData: all }: { loaderData: AllIssues }) {
  return (
    <IssuePaper>
      {all.state === "failed" && <FailedSheet />}
      {all.state === "not-found" && <NoSuchYear years={all.years} />}
      {all.state === "found" && <Register all={all} />}
    </IssuePaper>
  );
}

function NoSuchYear({ years }: { years: readonly RegisterYear[] }) {
  return (
    <div className="all-issues">
      <h1>{notFound.heading}</h1>
      <p>{notFound.text}</p>
      {years.length > 0 && <Years years={years} shown={null} />}
    </div>
  );
}

function Register({ all }: { all: Extract<AllIssues, { state: "found" }> }) {
  const { years, lists, year: shown } = all;
  return (
    <div className="all-issues">
      <h1>{headingOf(shown)}</h1>
      {lists.length === 0 && <p>{allIssues.none}</p>}
      {lists.map(({ label, path, count, issues }) => (
        <section className="all-issues-year" key={path} aria-label={label}>
          {!shown && (
            <h2 className="small-title apart">
              {label} <span className="lettering">{counted(count)}</span>
            </h2>
          )}
          <IssueList issues={issues} isWithAll={shown !== null} />
        </section>
      ))}
      {years.length > 1 && <Years years={years} shown={shown} />}
    </div>
  );
}

function Years({ years, shown }: { years: readonly RegisterYear[]; shown: RegisterYear | null }) {
  return (
    <nav className="all-issues-years" aria-labelledby="all-issues-years">
      <h2 className="lettering" id="all-issues-years">
        {shown ? allIssues.otherYears : newsletter.all.link}
      </h2>
      <ul className="rows linked columns">
        {years
          .filter(({ path }) => path !== shown?.path)
          .map(({ label, path, count }) => (
            <li key={path}>
              <Link className="apart" to={path}>
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

function isDated({ label }: RegisterYear): boolean {
  return label !== allIssues.undated;
}

function headingOf(year: RegisterYear | null): string {
  if (!year) return allIssues.heading;
  return isDated(year)
    ? `${allIssues.year} ${year.label}`
    : `${allIssues.undated} ${allIssues.many}`;
}
