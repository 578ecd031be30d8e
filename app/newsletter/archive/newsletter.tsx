import { newsletter } from "#content/pages/newsletter.ts";
import { longPage } from "../../long-page.ts";
import { pageMeta, pageSharePicture, rootFacts } from "../../seo/page-meta.ts";
import { siteContext } from "../../site-services.ts";
import { answerWith } from "../answer-with.server.ts";
import { leavePartsToDocument } from "../issue/parts-of-document.server.ts";
import { BelowIssueStyles } from "../late/below-issue-styles.tsx";
import { JoinTheMatrix } from "../sign-up/join-the-matrix.tsx";
import { subscribeAction } from "../sign-up/subscribe-actions.ts";
import { SubscribeForm } from "../sign-up/subscribe-form.tsx";
import type { Route } from "./+types/newsletter";
import type { Archive, LoadingArchive } from "./archive.ts";
import { FeedPaper, Perforation } from "./feed-paper.tsx";
import { IssueBar } from "./issue-bar.tsx";
import { IssuePane } from "./issue-pane.tsx";
import { loadArchive } from "./load-archive.server.ts";
import { NewestIssues } from "./newest-issues.tsx";
import { NewsletterMasthead } from "./newsletter-masthead.tsx";
import { useArchive } from "./use-archive.ts";
import { WeeklyContents } from "./weekly-contents.tsx";
import { WhySubscribe } from "./why-subscribe.tsx";

export const handle = longPage;

export async function loader({ request, context }: Route.LoaderArgs) {
  const chosen = new URL(request.url).searchParams.get("issue") ?? "";
  const services = context.get(siteContext);
  const { archive, status } = await loadArchive(services, chosen);
  const shown = leavePartsToDocument(archive, services);
  return answerWith(shown, status);
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
      // An older issue has a page of its own, which is the one to find it under.
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
        <BelowIssueStyles />
      </FeedPaper>
      <WhySubscribe />
      <WeeklyContents />
      <JoinTheMatrix>
        <SubscribeForm />
      </JoinTheMatrix>
    </>
  );
}

/** An answer that comes within this time is shown at once: a skeleton that only flashes is worse than none. */
const quietMs = 120;

/** The archive if it comes quickly, otherwise the promise of it. A read that fails on the way is a failed load. */
async function readInBrowser(answer: Promise<Archive>): Promise<Archive | LoadingArchive> {
  const reading = answer.catch((): Archive => ({ state: "failed" }));
  const pause = new Promise<null>((resolve) => setTimeout(resolve, quietMs, null));
  return (await Promise.race([reading, pause])) ?? { state: "loading", reading };
}
