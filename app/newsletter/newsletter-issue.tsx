import { nameOfNewsletter } from "#content/own-words.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { navigation } from "#content/site.ts";
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
  IssuePaper,
  MoreIssues,
  newsletterSharePicture,
  Perforation,
} from "./paper.tsx";

export function loader({ params, context }: Route.LoaderArgs) {
  return loadIssue(context.get(siteContext), params.issueId);
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

const titleMaxLength = 60;

export function meta({ matches, loaderData: page }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  if (page?.state === "failed") {
    return pageMeta({ ...newsletter.head, noIndex: true }, settings);
  }
  if (page?.state !== "found") {
    return pageMeta(
      { ...newsletter.notFound.head, path: newsletter.head.path, noIndex: true },
      settings,
    );
  }
  const { issue, description, datePublished, dateModified, picture } = page;
  const path = `${newsletter.head.path}/${issue.id}`;
  const shared = picture ? { path: picture, alt: issue.title } : newsletterSharePicture(settings);
  const ending = ` | ${nameOfNewsletter(settings)}`;
  const crumbs = [
    ...navigation
      .filter(({ path }) => path === "/" || path === newsletter.head.path)
      .map(({ label, path }) => ({ name: label, path })),
    { name: issue.title, path },
  ];
  return pageMeta(
    {
      title: `${cutAtWord(issue.title, titleMaxLength - ending.length)}${ending}`,
      description,
      path,
      picture: shared,
      article: { publishedAt: datePublished, modifiedAt: dateModified },
      structuredData: [
        articleStructuredData(
          {
            headline: issue.title,
            description,
            datePublished,
            dateModified,
            address: settings.url + path,
            image: settings.url + shared.path,
          },
          settings,
        ),
        breadcrumbStructuredData(crumbs, settings.url),
      ],
    },
    settings,
  );
}

export default function NewsletterIssuePage({ loaderData }: Route.ComponentProps) {
  return (
    <IssuePaper>
      <Sheet page={loaderData} />
    </IssuePaper>
  );
}

function Sheet({ page }: { page: IssuePage }) {
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
            <p className="lettering below">{issueLine(issue)}</p>
          </>
        }
      />
      <WaysOn {...page} />
    </>
  );
}

function WaysOn({ useCase, older, newer }: Extract<IssuePage, { state: "found" }>) {
  const words = newsletter.issue;
  if (!useCase && !older && !newer) return null;
  const issueLink = (issue: ListedIssue, rel: string) => (
    <Link to={`${newsletter.head.path}/${issue.id}`} rel={rel}>
      {issue.title}
    </Link>
  );
  return (
    <nav className="issue-ways" aria-label={words.waysOn}>
      <ul className="rows keyed">
        {useCase && (
          <li>
            <span className="lettering accent">{words.useCase}</span>
            <Link to={useCase.path}>{useCase.name}</Link>
          </li>
        )}
        {older && (
          <li>
            <span className="lettering accent">{words.older}</span>
            {issueLink(older, "prev")}
          </li>
        )}
        {newer && (
          <li>
            <span className="lettering accent">{words.newer}</span>
            {issueLink(newer, "next")}
          </li>
        )}
      </ul>
    </nav>
  );
}

function IssueNotFound({ others }: { others: readonly ListedIssue[] }) {
  const { heading, text, others: instead } = newsletter.notFound;
  return (
    <>
      <div className="issue-pane">
        <h1>{heading}</h1>
        <p className="lede">{text}</p>
      </div>
      <Perforation />
      <MoreIssues heading={instead} issues={others} />
    </>
  );
}
