import { useEffect, useState } from "react";
import { newsletter } from "#content/pages/newsletter.ts";
import { pageMeta, pageSharePicture, rootFacts } from "../../seo/page-meta.ts";
import { siteContext } from "../../site-services.ts";
import { TitleBlock } from "../../ui/title-block.tsx";
import type { ArchivePage } from "../issues.ts";
import { answerWith, loadArchive } from "../load-issues.server.ts";
import { subscribeAction } from "../sign-up/submit-subscribe-form.ts";
import { JoinTheMatrix, SubscribeForm } from "../sign-up/subscribe-form.tsx";
import type { Route } from "./+types/newsletter";
import { FeedPaper, NewsletterMasthead, Perforation } from "./feed-paper.tsx";
import { IssueBar } from "./issue-bar.tsx";
import { NewestIssues } from "./issue-list.tsx";
import { IssuePane } from "./issue-pane.tsx";
import "../below-issue.css";

type LoadingArchive = { state: "loading"; reading: Promise<ArchivePage> };

export async function loader({ request, context }: Route.LoaderArgs) {
  const chosen = new URL(request.url).searchParams.get("issue") ?? "";
  const { page, status } = await loadArchive(context.get(siteContext), chosen);
  return answerWith(page, status);
}

export function action(args: Route.ActionArgs) {
  return subscribeAction(args);
}

export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return readInBrowser(serverLoader());
}

export function headers({ loaderHeaders, actionHeaders }: Route.HeadersArgs) {
  return new Headers([...loaderHeaders, ...actionHeaders]);
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  const older =
    loaderData?.state === "has-issues" && !loaderData.isLatest ? loaderData.shown : null;
  return pageMeta(
    {
      ...newsletter.head,
      picture: pageSharePicture(newsletter.head),
      // The canonical address of an older issue is its own page.
      ...(older ? { path: `${newsletter.head.path}/${older.id}` } : {}),
      noIndex: loaderData?.state === "has-issues" && loaderData.askedForUnknown,
    },
    settings,
  );
}

export default function NewsletterPage({ loaderData }: Route.ComponentProps) {
  const { archive, lastShown } = useArchive(loaderData);
  const shown = archive ?? lastShown;
  return (
    <>
      <FeedPaper>
        <IssueBar archive={shown} isLoading={archive === null} />
        <NewsletterMasthead />
        <Perforation />
        {shown?.state === "has-issues" && (
          <>
            <NewestIssues heading={newsletter.archive.newest} issues={shown.newest} />
            <Perforation />
          </>
        )}
        <IssuePane archive={archive} />
      </FeedPaper>
      <WhySubscribe />
      <WeeklyContents />
      <JoinTheMatrix>
        <SubscribeForm />
      </JoinTheMatrix>
    </>
  );
}

type ArchiveInView = {
  /** Null while loading. */
  archive: ArchivePage | null;
  /** The previous archive, so that the dropdown keeps its place and focus while loading. */
  lastShown: ArchivePage | null;
};

/** Unwraps the loader's data: the archive or a promise of it. */
function useArchive(data: ArchivePage | LoadingArchive): ArchiveInView {
  const [settled, setSettled] = useState<Settled | null>(
    data.state === "loading" ? null : { data, archive: data },
  );

  useEffect(() => {
    if (data.state !== "loading") {
      setSettled({ data, archive: data });
      return;
    }
    let isCurrent = true;
    data.reading.then((archive) => {
      if (isCurrent) setSettled({ data, archive });
    });
    return () => {
      isCurrent = false;
    };
  }, [data]);

  const lastShown = settled?.archive ?? null;
  if (data.state !== "loading") return { archive: data, lastShown };
  return { archive: settled?.data === data ? lastShown : null, lastShown };
}

type Settled = { data: ArchivePage | LoadingArchive; archive: ArchivePage };

/** A faster answer is shown without a skeleton, which would only flash. */
const quietMs = 120;

/** Returns the archive if it comes quickly, else a promise of it. A failed request counts as a failed load. */
async function readInBrowser(answer: Promise<ArchivePage>): Promise<ArchivePage | LoadingArchive> {
  const reading = answer.catch((): ArchivePage => ({ state: "failed" }));
  const pause = new Promise<null>((resolve) => setTimeout(resolve, quietMs, null));
  return (await Promise.race([reading, pause])) ?? { state: "loading", reading };
}

function WhySubscribe() {
  const { heading, paragraphs, facts } = newsletter.why;
  return (
    <section className="section newsletter-offer">
      <div className="wrap why-subscribe">
        <div>
          <h2>{heading}</h2>
          <div className="why-subscribe-words">
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
        <div className="sheet why-subscribe-facts">
          <TitleBlock entries={facts} />
        </div>
      </div>
    </section>
  );
}

function WeeklyContents() {
  const { heading, parts } = newsletter.weekly;
  return (
    <section className="section newsletter-offer weekly">
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="weekly-contents">
          {parts.map((part) => (
            <div className="weekly-part" key={part.heading}>
              <h3>{part.heading}</h3>
              <p>{part.text}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
