import { Link } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { pageMeta, pageSharePicture, rootFacts, sharePicturePath } from "../../seo/page-meta.ts";
import { articleStructuredData } from "../../seo/structured-data.ts";
import { siteContext } from "../../site-services.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import { FailedSheet, IssuePaper, Perforation } from "../archive/feed-paper.tsx";
import { NewestIssues } from "../archive/issue-list.tsx";
import styles from "../archive/no-issue-yet.css?url";
import { cutAtWord, type IssuePage, issueLine, type ListedIssue } from "../issues.ts";
import { answerWith, loadIssue } from "../load-issues.server.ts";
import { JoinTheMatrix, SubscribeForm } from "../sign-up/subscribe-form.tsx";
import type { Route } from "./+types/newsletter-issue";
import { IssueArticle } from "./issue-article.tsx";
import "../below-issue.css";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { page, status } = await loadIssue(context.get(siteContext), params.issueId);
  return answerWith(page, status);
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
        {loaderData.state === "found" && <IssueNeighbours {...loaderData} />}
      </IssuePaper>
      <JoinTheMatrix>
        <SubscribeForm />
      </JoinTheMatrix>
    </>
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
            <p className="lettering">{issueLine(issue)}</p>
          </>
        }
      />
      <Perforation />
    </>
  );
}

type IssueNeighboursProps = { older: ListedIssue | null; newer: ListedIssue | null };

/** Links to the issues before and after this one. */
function IssueNeighbours({ older, newer }: IssueNeighboursProps) {
  if (!older && !newer) return null;
  return (
    <nav className="issue-neighbours" aria-label={newsletter.issue.neighbours}>
      {older && <NeighbourLink label={newsletter.issue.older} issue={older} />}
      {newer && <NeighbourLink label={newsletter.issue.newer} issue={newer} isNewer />}
    </nav>
  );
}

type NeighbourLinkProps = { label: string; issue: ListedIssue; isNewer?: boolean };

function NeighbourLink({ label, issue, isNewer = false }: NeighbourLinkProps) {
  return (
    <Link
      className={`issue-neighbour ${isNewer ? "issue-neighbour-newer" : ""}`}
      to={`${newsletter.head.path}/${issue.id}`}
      rel={isNewer ? "next" : "prev"}
    >
      <span className="lettering">{label}</span>
      <span className="issue-neighbour-title">{issue.title}</span>
    </Link>
  );
}

function IssueNotFound({ others }: { others: readonly ListedIssue[] }) {
  const { heading, text, others: instead } = newsletter.notFound;
  return (
    <>
      <div className="issue-pane no-issue-yet">
        <OwnStyles href={styles} />
        <h1>{heading}</h1>
        <p className="lede">{text}</p>
      </div>
      <Perforation />
      <NewestIssues heading={instead} issues={others} />
    </>
  );
}

const titleMaxLength = 60;

/** The head of an issue's page, in every state. */
function issueMeta(page: IssuePage | undefined, settings: SiteSettings) {
  if (page?.state === "failed") {
    return pageMeta({ ...newsletter.head, noIndex: true }, settings);
  }
  if (page?.state !== "found") {
    return pageMeta(
      { ...newsletter.notFound.head, path: newsletter.head.path, noIndex: true },
      settings,
    );
  }
  const path = `${newsletter.head.path}/${page.issue.id}`;
  const { title } = page.issue;
  // Issues have no pictures of their own, because they are published after the build.
  const picture = pageSharePicture(newsletter.head);
  const { description, datePublished } = page;
  const ending = ` | ${newsletter.name}`;
  return pageMeta(
    {
      title: `${cutAtWord(title, titleMaxLength - ending.length)}${ending}`,
      description,
      path,
      picture,
      article: { publishedAt: datePublished },
      structuredData: [
        articleStructuredData(
          {
            headline: title,
            description,
            datePublished,
            address: settings.url + path,
            image: settings.url + sharePicturePath(picture.slug),
          },
          settings,
        ),
      ],
    },
    settings,
  );
}
