import { longPage } from "../../long-page.ts";
import { rootFacts } from "../../seo/page-meta.ts";
import { siteContext } from "../../site-services.ts";
import { answerWith } from "../answer-with.server.ts";
import { Perforation } from "../archive/feed-paper.tsx";
import { FailedSheet, IssuePaper } from "../archive/issue-paper.tsx";
import { BelowIssueStyles } from "../late/below-issue-styles.tsx";
import { JoinTheMatrix } from "../sign-up/join-the-matrix.tsx";
import { SubscribeForm } from "../sign-up/subscribe-form.tsx";
import type { Route } from "./+types/newsletter-issue";
import { IssueArticle } from "./issue-article.tsx";
import { issueLine } from "./issue-label.ts";
import { issueMeta } from "./issue-meta.ts";
import { IssueNeighbours } from "./issue-neighbours.tsx";
import { IssueNotFound } from "./issue-not-found.tsx";
import { loadIssue } from "./load-issue.server.ts";
import { leaveBodyToDocument } from "./parts-of-document.server.ts";

export const handle = longPage;

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(siteContext);
  const { page, status } = await loadIssue(services, params.issueId);
  const shown =
    page.state === "found" ? { ...page, issue: leaveBodyToDocument(page.issue, services) } : page;
  return answerWith(shown, status);
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return issueMeta(loaderData, rootFacts(matches).settings);
}

export default function NewsletterIssuePage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <IssuePaper>
        <Sheet page={loaderData} />
        <BelowIssueStyles />
        {loaderData.state === "found" && <IssueNeighbours {...loaderData} />}
      </IssuePaper>
      <JoinTheMatrix>
        <SubscribeForm />
      </JoinTheMatrix>
    </>
  );
}

function Sheet({ page }: { page: Route.ComponentProps["loaderData"] }) {
  if (page.state === "not-found") return <IssueNotFound others={page.others} />;
  if (page.state === "failed") return <FailedSheet />;
  const { issue } = page;
  return (
    <>
      <IssueArticle
        issue={issue}
        header={
          <>
            <h1>{issue.title}</h1>
            <p className="lettering">{issueLine(issue)}</p>
          </>
        }
      />
      <Perforation />
    </>
  );
}
