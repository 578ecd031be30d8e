import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/newsletter-all";
import { loadAllIssues } from "./load-issues.server.ts";
import { FailedSheet, IssueLedger, IssuePaper, newsletterSharePicture } from "./paper.tsx";

export function loader({ context }: Route.LoaderArgs) {
  return loadAllIssues(context.get(siteContext));
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData: all }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  if (all?.state !== "found") return pageMeta({ ...newsletter.head, noIndex: true }, settings);
  return pageMeta({ ...allIssues.head, picture: newsletterSharePicture(settings) }, settings);
}

export default function AllIssuesPage({ loaderData: all }: Route.ComponentProps) {
  return (
    <IssuePaper>
      {all.state === "failed" ? (
        <FailedSheet />
      ) : (
        <div className="all-issues">
          <h1>{allIssues.heading}</h1>
          {all.years.length === 0 && <p>{allIssues.none}</p>}
          {all.years.map(({ year, issues }) => (
            <section className="below" key={year} aria-label={year}>
              <h2 className="title">{year}</h2>
              <IssueLedger issues={issues} />
            </section>
          ))}
        </div>
      )}
    </IssuePaper>
  );
}
