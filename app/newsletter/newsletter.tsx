import { newsletter } from "#content/pages/newsletter.ts";
import { DotMatrix } from "../drawings/dot-matrix.tsx";
import { subscribeAction } from "../forms/form-actions.server.ts";
import { Section } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useNamed, usePageWords } from "../site-facts.ts";
import { siteContext } from "../site-services.ts";
import { Link } from "../ui/link.tsx";
import type { Route } from "./+types/newsletter";
import { type ArchivePage, issueLine, listLine } from "./issues.ts";
import { loadArchive } from "./load-issues.server.ts";
import {
  IssueArticle,
  LoadFailure,
  newsletterSharePicture,
  Paper,
  WaysOn,
  wayTo,
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
        <Masthead />
        <IssueBar archive={archive} />
        <hr className="paper-perforation" />
        <div className={archive.state === "has-issues" ? "issue-desk" : ""}>
          <IssuePane archive={archive} />
          {archive.state === "has-issues" && (
            <WaysOn
              heading={words.more}
              ways={archive.newest.map((issue) => wayTo(issue, listLine(issue)))}
            />
          )}
        </div>
      </Paper>
      <Offer isEmpty={isEmpty} />
      <JoinTheMatrix posted={posted} />
    </>
  );
}

function IssueBar({ archive }: { archive: ArchivePage }) {
  if (archive.state === "failed") return null;
  const isEmpty = archive.state === "empty";
  return (
    <>
      <hr className="paper-perforation" />
      <div className="paper-bar issue-bar apart">
        <p className={`lettering ${isEmpty ? "issue-note" : ""}`} aria-live="polite">
          {isEmpty ? newsletter.empty.badge : issueLine(archive.shown)}
        </p>
        {!isEmpty && <IssueChoice {...archive} />}
      </div>
    </>
  );
}

/** archive-alive.ts makes it quicker. */
function IssueChoice({ choice, isLatest, shown }: Extract<ArchivePage, { state: "has-issues" }>) {
  return (
    <form action={`${head.path}#issue-choice`} className="issue-choice field-row">
      <select
        id="issue-choice"
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

function Masthead() {
  const { name, intro, join } = useNamed(usePageWords(newsletter));
  return (
    <div className="nameplate">
      <h1>
        <DotMatrix text={name} />
      </h1>
      <div className="nameplate-intro apart">
        <p>{intro}</p>
        <Link className="button button-primary" to="#join">
          {join.heading}
        </Link>
      </div>
    </div>
  );
}

function IssuePane({ archive }: { archive: ArchivePage }) {
  const { empty: none, audience } = useNamed(usePageWords(newsletter));
  return (
    <div className="issue-pane">
      <IssueSkeleton />
      {archive.state === "failed" && <LoadFailure />}
      {archive.state === "empty" && (
        <div>
          <h2 className="title">{none.heading}</h2>
          {none.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      )}
      {archive.state === "has-issues" && (
        <>
          <p className="lede">{audience}</p>
          {archive.askedForUnknown && <p className="issue-note">{words.unknown}</p>}
          <IssueArticle issue={archive.shown}>
            <h2>
              <Link className="issue-title" to={`${head.path}/${archive.shown.id}`}>
                {archive.shown.title}
              </Link>
            </h2>
          </IssueArticle>
        </>
      )}
    </div>
  );
}

function IssueSkeleton() {
  return (
    <div className="issue-skeleton" aria-hidden="true">
      {[4, 3, 5].map((lines) => (
        <div className="below" key={lines}>
          {Array.from({ length: lines }, (_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <span className="skeleton-line" key={line} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Offer({ isEmpty }: { isEmpty: boolean }) {
  const { why, weekly } = useNamed(usePageWords(newsletter));
  return (
    <>
      <section className="section newsletter-offer">
        <div className="wrap split">
          <h2>{why.heading}</h2>
          <div>
            {[...why.paragraphs, ...(isEmpty ? [] : [why.readers])].map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
      </section>
      <Section className="newsletter-offer" heading={weekly.heading}>
        <ul className="sheet cells" data-n="3">
          {weekly.parts.map(({ heading, text }) => (
            <li key={heading}>
              <h3>{heading}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function JoinTheMatrix({ posted }: { posted: SubscribeOutcome | null }) {
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
