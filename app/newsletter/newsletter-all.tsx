import { Link, type LoaderFunctionArgs } from "react-router";
import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { notFound } from "#content/pages/not-found.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { Pager } from "../ui/pager.tsx";
import type { Route } from "./+types/newsletter-all";
import type { AllIssues, RegisterYear, YearPart } from "./issues.ts";
import { answerWith, loadAllIssues, loadIssueYear } from "./load-issues.server.ts";
import { FailedSheet, IssueList, IssuePaper, newsletterSharePicture } from "./paper.tsx";

/** All issues by year, or one year's. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const site = context.get(siteContext);
  const { all, status } = await (params.year
    ? loadIssueYear(site, params.year)
    : loadAllIssues(site));
  return answerWith(all, status);
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return allIssuesMeta(loaderData, rootFacts(matches).settings);
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
      {years.length > 0 && <Years years={years} part={null} />}
    </div>
  );
}

function Register({ all }: { all: Extract<AllIssues, { state: "found" }> }) {
  const { years, lists, part } = all;
  return (
    <div className="all-issues">
      <h1>{headingOf(all)}</h1>
      {lists.length === 0 && <p>{allIssues.none}</p>}
      {lists.map(({ year, issues }) => (
        <section className="all-issues-year" key={year.path} aria-label={year.label}>
          {!part && (
            <h2 className="small-title apart">
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

function PagesOfYear({ part: { newer, older, page, pages } }: { part: YearPart }) {
  return <Pager words={allIssues.pages} page={page} pages={pages} before={newer} after={older} />;
}

function Years({ years, part }: { years: readonly RegisterYear[]; part: YearPart | null }) {
  return (
    <nav className="all-issues-years" aria-labelledby="all-issues-years">
      <h2 className="lettering" id="all-issues-years">
        {part ? allIssues.otherYears : newsletter.all.link}
      </h2>
      <ul className="rows linked columns">
        {years
          .filter(({ path }) => path !== part?.year.path)
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

/** The head in every state. */
function allIssuesMeta(all: AllIssues | undefined, settings: SiteSettings) {
  const { head, name } = newsletter;
  if (all?.state === "failed") return pageMeta({ ...head, noIndex: true }, settings);
  if (all?.state !== "found") {
    return pageMeta({ ...notFound.head, path: head.path, noIndex: true }, settings);
  }
  const picture = newsletterSharePicture(settings);
  const { part } = all;
  if (!part) return pageMeta({ ...allIssues.head, picture }, settings);
  const { year, page } = part;
  const isDated = year.label !== allIssues.undated;
  return pageMeta(
    {
      title: `${headingOf(all)} | ${name}`,
      description: isDated
        ? `${allIssues.yearDescription} ${year.label}${page > 1 ? `, ${allIssues.pages.page.toLowerCase()} ${page}` : ""}.`
        : allIssues.undatedDescription,
      path: page === 1 ? year.path : `${year.path}-${page}`,
      picture,
    },
    settings,
  );
}

/** `Issues of 2026`, with the page if there are several. */
function headingOf(all: AllIssues): string {
  if (all.state !== "found" || !all.part) return allIssues.heading;
  const { year, page } = all.part;
  const isDated = year.label !== allIssues.undated;
  const heading = isDated
    ? `${allIssues.year} ${year.label}`
    : `${allIssues.undated} ${allIssues.many}`;
  return page > 1 ? `${heading}, ${allIssues.pages.page.toLowerCase()} ${page}` : heading;
}
