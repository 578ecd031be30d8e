import { useEffect, useMemo, useRef } from "react";
import { Form, useLocation, useNavigate, useNavigation } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import { type ArchivePage, issueLine } from "../issues.ts";
import { FeedBar } from "./feed-paper.tsx";
import "./issue-bar.css";
import styles from "./no-issue-yet.css?url";

const { archive: words, head } = newsletter;

const choiceId = "issue-choice";

type IssueBarProps = {
  /** Null until the first archive has loaded. */
  archive: ArchivePage | null;
  isLoading: boolean;
};

/** The bar at the top of the paper: this issue, and the choice of others. */
export function IssueBar({ archive, isLoading }: IssueBarProps) {
  if (archive === null) return <EmptyBar />;
  if (archive.state === "empty") {
    return (
      <FeedBar>
        <OwnStyles href={styles} />
        <p className="issue-badge">{newsletter.empty.badge}</p>
      </FeedBar>
    );
  }
  if (archive.state === "failed") return null;
  return (
    <FeedBar>
      <p className="lettering issue-bar-line" aria-live="polite">
        {isLoading ? words.loading : issueLine(archive.shown)}
      </p>
      <a className="button no-print" href="#join">
        {words.subscribe}
      </a>
      <IssueChoice archive={archive} isLoading={isLoading} />
    </FeedBar>
  );
}

type IssueChoiceProps = {
  archive: Extract<ArchivePage, { state: "has-issues" }>;
  isLoading: boolean;
};

/** A plain form; with scripts, choosing submits it. */
function IssueChoice({ archive, isLoading }: IssueChoiceProps) {
  const navigate = useNavigate();
  const select = useRef<HTMLSelectElement>(null);
  const pendingId = usePendingIssue(isLoading);
  const choice = useMemo(() => readChoice(archive.choice), [archive.choice]);
  const shown = archive.isLatest ? "" : String(archive.shown.id);
  const chosen = pendingId ?? shown;

  function open(issueId: string) {
    navigate(issueId ? `${head.path}?issue=${issueId}` : head.path, { preventScrollReset: true });
  }

  // A visitor may have chosen before the scripts arrived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the scripts take over.
  useEffect(() => {
    const chosenBefore = select.current?.value ?? shown;
    if (chosenBefore !== shown) open(chosenBefore);
  }, []);

  return (
    <Form method="get" action={head.path} className="issue-choice">
      <label className="lettering" htmlFor={choiceId}>
        {words.label}
      </label>
      <select
        ref={select}
        id={choiceId}
        name="issue"
        className="field-input"
        autoComplete="off"
        value={chosen}
        onChange={(event) => open(event.currentTarget.value)}
      >
        <option value="">{words.latest}</option>
        {choice.map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" className="button issue-choice-submit">
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

/** Keeps the bar's height before the archive is loaded. */
function EmptyBar() {
  return (
    <FeedBar>
      <span className="skeleton-line issue-bar-line" />
      <span className="skeleton-box issue-choice" />
    </FeedBar>
  );
}
