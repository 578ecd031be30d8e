import { newsletter } from "#content/pages/newsletter.ts";
import { DotMatrix } from "../drawings/dot-matrix.tsx";
import { subscribeAction } from "../forms/form-actions.server.ts";
import { Section } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useNamed, usePageWords } from "../site-facts.ts";
import { siteContext } from "../site-services.ts";
import { Link } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import type { Route } from "./+types/newsletter";
import { type ArchivePage, issueLine } from "./issues.ts";
import { loadArchive } from "./load-issues.server.ts";
import {
  IssueArticle,
  LoadFailure,
  MoreIssues,
  newsletterSharePicture,
  Paper,
  Perforation,
} from "./paper.tsx";
import type { SubscribeOutcome } from "./submit-subscribe-form.ts";
import { SubscribeForm } from "./subscribe-form.tsx";

const { archive: words, head } = newsletter;

export function loader({ request, context }: Route.LoaderArgs) {
  const chosen = new URL(request.url).searchParams.get("issue") ?? "";
  return loadArchive(context.get(siteContext), chosen);
}

export const action = subscribeAction;

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
      ...(shown && !shown.isLatest ? { canonicalPath: `${head.path}/${shown.shown.id}` } : {}),
      noIndex: shown?.askedForUnknown,
    },
    settings,
  );
}

export default function NewsletterPage({ loaderData: archive, actionData }: Route.ComponentProps) {
  const posted = actionData ?? null;
  const isEmpty = archive.state === "empty";
  return (
    <>
      <Paper>
        <IssueBar archive={archive} />
        <Masthead isEmpty={isEmpty} posted={posted} />
        <Perforation />
        <IssuePane archive={archive} />
        {archive.state === "has-issues" && (
          <>
            <Perforation />
            <MoreIssues heading={words.more} issues={archive.newest} />
          </>
        )}
      </Paper>
      <WhySubscribe isEmpty={isEmpty} />
      <WeeklyContents />
      <JoinTheMatrix posted={posted} />
    </>
  );
}

function IssueBar({ archive }: { archive: ArchivePage }) {
  if (archive.state === "failed") return null;
  return (
    <div className="paper-bar apart">
      {archive.state === "empty" && (
        <p className="issue-note lettering">{newsletter.empty.badge}</p>
      )}
      {archive.state === "has-issues" && (
        <>
          <p className="lettering" aria-live="polite">
            {issueLine(archive.shown)}
          </p>
          <IssueChoice {...archive} />
        </>
      )}
    </div>
  );
}

/** archive-alive.ts makes it quicker. */
function IssueChoice({ choice, isLatest, shown }: Extract<ArchivePage, { state: "has-issues" }>) {
  return (
    <form action={head.path} className="issue-choice field-row">
      <select
        aria-label={words.label}
        name="issue"
        className="field-input"
        autoComplete="off"
        defaultValue={isLatest ? "" : String(shown.id)}
      >
        <option value="">{words.latest}</option>
        {choice.map(({ id, label }) => (
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

type PostedProps = { posted: SubscribeOutcome | null };

function Masthead({ isEmpty, posted }: PostedProps & { isEmpty: boolean }) {
  const { name, intro, audience } = useNamed(usePageWords(newsletter));
  return (
    <div className="nameplate">
      <h1>
        <DotMatrix text={name} printed />
      </h1>
      <p className="nameplate-intro">
        {intro} {!isEmpty && audience}
      </p>
      <SubscribeForm place="masthead" posted={posted} />
    </div>
  );
}

function IssuePane({ archive }: { archive: ArchivePage }) {
  return (
    <div className="issue-pane">
      <IssueSkeleton />
      {archive.state === "failed" && <LoadFailure />}
      {archive.state === "empty" && <NoIssueYet />}
      {archive.state === "has-issues" && (
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

const paragraphs = [4, 3, 5, 3];

function IssueSkeleton() {
  return (
    <div className="issue-skeleton">
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
  const { heading, paragraphs, facts, readers, unread } = useNamed(usePageWords(newsletter).why);
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
  const { heading, parts } = usePageWords(newsletter).weekly;
  return (
    <Section className="newsletter-offer" heading={heading}>
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

function JoinTheMatrix({ posted }: PostedProps) {
  const { heading, text } = useNamed(usePageWords(newsletter).join);
  return (
    <section className="section tight blueprint newsletter-offer join-band" id="join">
      <div className="wrap split">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{text}</p>
        </div>
        <SubscribeForm posted={posted} />
      </div>
    </section>
  );
}
