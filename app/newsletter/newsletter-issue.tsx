import { nameOfNewsletter } from "#content/own-words.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { cutAtWord } from "#content/text.ts";
import {
  articleStructuredData,
  breadcrumbStructuredData,
  pageMeta,
  rootFacts,
} from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { Link } from "../ui/link.tsx";
import type { Route } from "./+types/newsletter-issue";
import { type IssuePage, issueLine, type ListedIssue } from "./issues.ts";
import { loadIssue } from "./load-issues.server.ts";
import {
  FailedSheet,
  IssueArticle,
  IssueLedger,
  IssuePaper,
  newsletterSharePicture,
  WaysOn,
  wayTo,
} from "./paper.tsx";

export function loader({ params, context }: Route.LoaderArgs) {
  return loadIssue(context.get(siteContext), params.issueId);
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData: page }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  if (page?.state === "failed") {
    return pageMeta({ ...newsletter.head, noIndex: true }, settings);
  }
  if (page?.state !== "found") {
    const { head, notFound } = newsletter;
    return pageMeta({ ...notFound.head, path: head.path, noIndex: true }, settings);
  }
  const { issue, description, datePublished, dateModified, card } = page;
  const path = `${newsletter.head.path}/${issue.id}`;
  const ending = ` | ${nameOfNewsletter(settings)}`;
  const head = {
    title: `${cutAtWord(issue.title, 60 - ending.length)}${ending}`,
    description,
    path,
    picture: card ? { ...card, alt: issue.title } : newsletterSharePicture(settings),
    article: { publishedAt: datePublished, modifiedAt: dateModified },
  };
  const crumbs = [
    { name: "Home", path: "/" },
    { name: "Newsletter", path: newsletter.head.path },
    { name: issue.title, path },
  ];
  const structuredData = [
    articleStructuredData(issue.title, head, settings),
    breadcrumbStructuredData(crumbs, settings.url),
  ];
  return pageMeta({ ...head, structuredData }, settings);
}

export default function NewsletterIssuePage({ loaderData: page, params }: Route.ComponentProps) {
  if (page.state === "not-found") {
    return <IssueNotFound asked={params.issueId} others={page.others} />;
  }
  return (
    <IssuePaper>
      {page.state === "failed" && <FailedSheet />}
      {page.state === "found" && (
        <div className="issue-desk">
          <IssueArticle issue={page.issue}>
            <h1>{page.issue.title}</h1>
            <p className="lettering below">{issueLine(page.issue)}</p>
          </IssueArticle>
          <WaysOn heading={newsletter.issue.waysOn} ways={waysOn(page)} />
        </div>
      )}
    </IssuePaper>
  );
}

function waysOn({ useCase, older, newer }: Extract<IssuePage, { state: "found" }>) {
  const words = newsletter.issue;
  return [
    ...(useCase ? [{ key: words.useCase, ...useCase }] : []),
    ...(older ? [wayTo(older, words.older, "prev")] : []),
    ...(newer ? [wayTo(newer, words.newer, "next")] : []),
  ];
}

type NotFoundProps = { asked: string; others: readonly ListedIssue[] };

/** The sheet is torn off below the number that was asked for. */
function IssueNotFound({ asked, others }: NotFoundProps) {
  const { heading, text, others: instead } = newsletter.notFound;
  const { path, link } = newsletter.all;
  const tornOff = (
    <div className="missing-issue split centred">
      <div>
        <h1>{heading}</h1>
        <p className="lede">{text}</p>
      </div>
      {/^\d{1,6}$/.test(asked) && <s className="missing-number wide">#{asked}</s>}
    </div>
  );
  return (
    <IssuePaper tornOff={tornOff}>
      {others.length > 0 && (
        <div className="missing-issue">
          <h2 className="title">{instead}</h2>
          <IssueLedger issues={others.slice(0, 3)} />
          <p className="below">
            <Link to={path}>{link}</Link>
          </p>
        </div>
      )}
    </IssuePaper>
  );
}
