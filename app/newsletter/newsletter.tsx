import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useNavigation } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { DotMatrix } from "../drawings/dot-matrix.tsx";
import { Section } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useNamed } from "../site-facts.ts";
import { siteContext } from "../site-services.ts";
import { TitleBlock } from "../ui/title-block.tsx";
import type { Route } from "./+types/newsletter";
import { IssueArticle } from "./issue-article.tsx";
import { type ArchivePage, issueLine } from "./issues.ts";
import { loadArchive } from "./load-issues.server.ts";
import { LoadFailure, MoreIssues, newsletterSharePicture, Paper, Perforation } from "./paper.tsx";
import { subscribeAction } from "./submit-subscribe-form.ts";
import { SubscribeForm } from "./subscribe-form.tsx";

const { archive: words, head } = newsletter;

type LoadingArchive = { state: "loading"; reading: Promise<ArchivePage> };

/** A faster answer is shown without a skeleton, which would only flash. */
const quietMs = 120;

export function loader({ request, context }: Route.LoaderArgs) {
  const chosen = new URL(request.url).searchParams.get("issue") ?? "";
  return loadArchive(context.get(siteContext), chosen);
}

export const action = subscribeAction;

/** A visitor from another page sees a skeleton while the archive loads. A failed request counts as a failed load. */
export async function clientLoader({
  serverLoader,
}: Route.ClientLoaderArgs): Promise<ArchivePage | LoadingArchive> {
  const reading = serverLoader().catch((): ArchivePage => ({ state: "failed" }));
  // On the way back the address is already this page's: the visitor's place can be found again only on the whole page.
  if (window.location.pathname === head.path) return await reading;
  const pause = new Promise<null>((resolve) => setTimeout(resolve, quietMs, null));
  return (await Promise.race([reading, pause])) ?? { state: "loading", reading };
}

export function headers({ loaderHeaders, actionHeaders }: Route.HeadersArgs) {
  return new Headers([...loaderHeaders, ...actionHeaders]);
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  const shown = loaderData?.state === "has-issues" ? loaderData : null;
  return pageMeta(
    {
      ...head,
      picture: newsletterSharePicture(settings),
      // Search engines get an issue's text once, at its own address.
      ...(shown ? { canonicalPath: `${head.path}/${shown.shown.id}` } : {}),
      noIndex: shown?.askedForUnknown,
    },
    settings,
  );
}

export default function NewsletterPage({ loaderData }: Route.ComponentProps) {
  const archive = useSettled(loaderData);
  const pendingId = usePendingIssue();
  const isLoading = useIsSlow(pendingId !== null) || archive === null;
  const isEmpty = archive?.state === "empty";
  return (
    <>
      <Paper>
        <IssueBar archive={archive} pendingId={pendingId} isLoading={isLoading} />
        <Masthead isEmpty={isEmpty} />
        <Perforation />
        <IssuePane archive={isLoading ? null : archive} />
        {archive?.state === "has-issues" && (
          <>
            <Perforation />
            <MoreIssues heading={words.more} issues={archive.newest} />
          </>
        )}
      </Paper>
      <WhySubscribe isEmpty={isEmpty} />
      <WeeklyContents />
      <JoinTheMatrix />
    </>
  );
}

function useSettled(data: ArchivePage | LoadingArchive): ArchivePage | null {
  const [late, setLate] = useState<ArchivePage | null>(null);
  const reading = data.state === "loading" ? data.reading : null;
  useEffect(() => {
    reading?.then(setLate);
  }, [reading]);
  return data.state === "loading" ? late : data;
}

/** The issue that loads in place of the one shown: its id, or an empty text for the latest. */
function usePendingIssue(): string | null {
  const { location } = useNavigation();
  if (location?.pathname !== head.path) return null;
  return new URLSearchParams(location.search).get("issue") ?? "";
}

function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(setIsSlow, quietMs, true);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isWaiting]);
  return isWaiting && isSlow;
}

type IssueBarProps = {
  archive: ArchivePage | null;
  pendingId: string | null;
  isLoading: boolean;
};

function IssueBar({ archive, pendingId, isLoading }: IssueBarProps) {
  if (archive?.state === "failed") return null;
  return (
    <div className="paper-bar apart">
      {archive === null && <span className="skeleton-line" />}
      {archive?.state === "empty" && (
        <p className="issue-note lettering">{newsletter.empty.badge}</p>
      )}
      {archive?.state === "has-issues" && (
        <>
          <p className="lettering" aria-live="polite">
            {isLoading ? words.loading : issueLine(archive.shown)}
          </p>
          <IssueChoice archive={archive} pendingId={pendingId} />
        </>
      )}
    </div>
  );
}

type IssueChoiceProps = {
  archive: Extract<ArchivePage, { state: "has-issues" }>;
  pendingId: string | null;
};

/**
 * A plain form with a button. With scripts, what is chosen from the open list shows at once; arrow keys in the closed
 * list only move through it, until Enter or the button.
 */
function IssueChoice({ archive, pendingId }: IssueChoiceProps) {
  const navigate = useNavigate();
  const select = useRef<HTMLSelectElement>(null);
  const lastKey = useRef("");
  const shown = archive.isLatest ? "" : String(archive.shown.id);
  const current = pendingId ?? shown;

  function open(issueId = current) {
    if (issueId === current) return;
    navigate(issueId ? `${head.path}?issue=${issueId}` : head.path, { preventScrollReset: true });
  }

  // A visitor may have chosen before the scripts arrived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the scripts take over.
  useEffect(() => open(select.current?.value), []);

  useEffect(() => {
    if (select.current) select.current.value = current;
  }, [current]);

  return (
    <form
      action={head.path}
      className="issue-choice field-row"
      onSubmit={(event) => {
        event.preventDefault();
        open(select.current?.value);
      }}
    >
      <select
        ref={select}
        aria-label={words.label}
        name="issue"
        className="field-input"
        autoComplete="off"
        defaultValue={shown}
        onPointerDown={() => {
          lastKey.current = "";
        }}
        onKeyDown={({ key, currentTarget }) => {
          lastKey.current = key;
          if (key === "Enter") open(currentTarget.value);
        }}
        onChange={({ currentTarget }) => {
          if (["", " ", "Enter"].includes(lastKey.current)) open(currentTarget.value);
        }}
      >
        <option value="">{words.latest}</option>
        {archive.choice.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" className="button">
        {words.submit}
      </button>
    </form>
  );
}

function Masthead({ isEmpty }: { isEmpty: boolean }) {
  const { name, intro, audience } = useNamed(newsletter);
  return (
    <div className="nameplate">
      <h1>
        <DotMatrix text={name} printed />
      </h1>
      <p className="nameplate-intro">
        {intro} {!isEmpty && audience}
      </p>
      <SubscribeForm place="masthead" />
    </div>
  );
}

/** The sheet below the masthead, in each of the page's four states; `archive` is null while loading. */
function IssuePane({ archive }: { archive: ArchivePage | null }) {
  const pane = useRef<HTMLDivElement>(null);
  const isRetrying = useRef(false);

  // The pressed retry button disappears, so the focus moves to its replacement.
  useEffect(() => {
    if (archive === null || !isRetrying.current) return;
    isRetrying.current = false;
    pane.current?.focus({ preventScroll: true });
  }, [archive]);

  return (
    <div className="issue-pane" ref={pane} tabIndex={-1} aria-busy={archive === null}>
      {archive === null && <IssueSkeleton />}
      {archive?.state === "failed" && (
        <LoadFailure
          onRetry={() => {
            isRetrying.current = true;
          }}
        />
      )}
      {archive?.state === "empty" && <NoIssueYet />}
      {archive?.state === "has-issues" && (
        <>
          {archive.askedForUnknown && <p className="issue-note">{words.unknown}</p>}
          <IssueArticle
            issue={archive.shown}
            header={
              <h2>
                <Link to={`${head.path}/${archive.shown.id}`}>{archive.shown.title}</Link>
              </h2>
            }
          />
        </>
      )}
    </div>
  );
}

function NoIssueYet() {
  const { heading, paragraphs } = useNamed(newsletter.empty);
  return (
    <div>
      <h2 className="title">{heading}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  );
}

/** Lines per paragraph of the skeleton. */
const paragraphs = [4, 3, 5, 3];

function IssueSkeleton() {
  return (
    <div className="issue-skeleton">
      <p className="sr-only" role="status">
        {words.loading}
      </p>
      <div aria-hidden="true">
        {paragraphs.map((lines, paragraph) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <div className="skeleton-paragraph" key={paragraph}>
            {Array.from({ length: lines }, (_, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
              <span className="skeleton-line" key={line} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function WhySubscribe({ isEmpty }: { isEmpty: boolean }) {
  const { heading, paragraphs, facts, readers, unread } = useNamed(newsletter.why);
  return (
    <section className="section newsletter-offer">
      <div className="wrap split">
        <div>
          <h2>{heading}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <div className="sheet">
          <TitleBlock entries={[...facts, isEmpty ? unread : readers]} />
        </div>
      </div>
    </section>
  );
}

function WeeklyContents() {
  const { heading, parts } = newsletter.weekly;
  return (
    <Section className="newsletter-offer joined" heading={heading}>
      <div className="sheet cells">
        {parts.map((part) => (
          <div className="lead" key={part.heading}>
            <h3>{part.heading}</h3>
            <p>{part.text}</p>
          </div>
        ))}
      </div>
    </Section>
  );
}

function JoinTheMatrix() {
  const { heading, text } = useNamed(newsletter.join);
  return (
    <section className="section tight blueprint newsletter-offer join-band" id="join">
      <div className="wrap split">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{text}</p>
        </div>
        <SubscribeForm />
      </div>
    </section>
  );
}
