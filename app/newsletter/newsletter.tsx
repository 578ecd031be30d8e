import { useEffect, useMemo, useRef, useState } from "react";
import { Form, Link, useLocation, useNavigate, useNavigation } from "react-router";
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

export function loader({ request, context }: Route.LoaderArgs) {
  const chosen = new URL(request.url).searchParams.get("issue") ?? "";
  return loadArchive(context.get(siteContext), chosen);
}

export const action = subscribeAction;

export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return readInBrowser(serverLoader());
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
  const { archive, lastShown } = useArchive(loaderData);
  const shown = archive ?? lastShown;
  const hasIssues = shown?.state === "has-issues";
  return (
    <>
      <Paper>
        <IssueBar archive={shown} isLoading={archive === null} />
        <Masthead isEmpty={shown?.state === "empty"} />
        <Perforation />
        <IssuePane archive={archive} />
        {hasIssues && (
          <>
            <Perforation />
            <MoreIssues heading={words.more} issues={shown.newest} />
          </>
        )}
      </Paper>
      <WhySubscribe isEmpty={shown?.state === "empty"} />
      <WeeklyContents />
      <JoinTheMatrix />
    </>
  );
}

/**
 * Unwraps the loader's data. `archive` is null while loading; `lastShown` is the archive before, so that the dropdown
 * keeps its place and focus.
 */
function useArchive(data: ArchivePage | LoadingArchive) {
  const [settled, setSettled] = useState<{ data: typeof data; archive: ArchivePage } | null>(null);
  const archive = data.state === "loading" ? null : data;
  useEffect(() => {
    let isCurrent = true;
    const reading = data.state === "loading" ? data.reading : Promise.resolve(data);
    reading.then((archive) => isCurrent && setSettled({ data, archive }));
    return () => {
      isCurrent = false;
    };
  }, [data]);
  const lastShown = settled?.archive ?? null;
  return { archive: archive ?? (settled?.data === data ? lastShown : null), lastShown };
}

/** A faster answer is shown without a skeleton, which would only flash. */
const quietMs = 120;

/** Returns the archive if it comes quickly, else a promise of it. A failed request counts as a failed load. */
async function readInBrowser(answer: Promise<ArchivePage>): Promise<ArchivePage | LoadingArchive> {
  const reading = answer.catch((): ArchivePage => ({ state: "failed" }));
  const pause = new Promise<null>((resolve) => setTimeout(resolve, quietMs, null));
  return (await Promise.race([reading, pause])) ?? { state: "loading", reading };
}

type IssueBarProps = {
  /** Null until the first archive has loaded. */
  archive: ArchivePage | null;
  isLoading: boolean;
};

/** The bar at the top of the paper: this issue, and the choice of others. */
function IssueBar({ archive, isLoading }: IssueBarProps) {
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
          <IssueChoice archive={archive} isLoading={isLoading} />
        </>
      )}
    </div>
  );
}

type IssueChoiceProps = {
  archive: Extract<ArchivePage, { state: "has-issues" }>;
  isLoading: boolean;
};

/**
 * A plain form with a button. With scripts, what is chosen from the open list shows at once; arrow keys in the closed
 * list only move through it, until Enter or the button.
 */
function IssueChoice({ archive, isLoading }: IssueChoiceProps) {
  const navigate = useNavigate();
  const select = useRef<HTMLSelectElement>(null);
  const lastKey = useRef("");
  const pendingId = usePendingIssue(isLoading);
  const choice = useMemo(() => readChoice(archive.choice), [archive.choice]);
  const shown = archive.isLatest ? "" : String(archive.shown.id);
  const current = pendingId ?? shown;
  const [marked, setMarked] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another issue on the page ends what was only marked.
  useEffect(() => setMarked(null), [current]);

  function open(issueId: string) {
    if (issueId === current) return;
    navigate(issueId ? `${head.path}?issue=${issueId}` : head.path, { preventScrollReset: true });
  }

  // A visitor may have chosen before the scripts arrived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the scripts take over.
  useEffect(() => open(select.current?.value ?? shown), []);

  return (
    <Form
      method="get"
      action={head.path}
      className="issue-choice field-row"
      onSubmit={(event) => {
        event.preventDefault();
        open(select.current?.value ?? shown);
      }}
    >
      <select
        ref={select}
        aria-label={words.label}
        name="issue"
        className="field-input"
        autoComplete="off"
        value={marked ?? current}
        onPointerDown={() => {
          lastKey.current = "";
        }}
        onKeyDown={(event) => {
          lastKey.current = event.key;
          if (event.key === "Enter") open(event.currentTarget.value);
        }}
        onChange={({ currentTarget: { value } }) => {
          setMarked(value);
          if (["", " ", "Enter"].includes(lastKey.current)) open(value);
        }}
      >
        <option value="">{words.latest}</option>
        {choice.map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" className="button">
        {words.submit}
      </button>
    </Form>
  );
}

/** Pairs of id and label. */
function readChoice(choice: string): [string, string][] {
  const lines = choice === "" ? [] : choice.split("\n");
  return lines.map((line) => {
    const space = line.indexOf(" ");
    return [line.slice(0, space), line.slice(space + 1)];
  });
}

/** The chosen issue while it loads, so that the dropdown shows it at once. */
function usePendingIssue(isLoading: boolean): string | null {
  const current = useLocation();
  // A slow issue already has its address.
  const { location = isLoading ? current : null } = useNavigation();
  if (location?.pathname !== current.pathname) return null;
  return new URLSearchParams(location.search).get("issue") ?? "";
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
