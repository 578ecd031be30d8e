import "../editor/writing.css";
import { useEffect, useRef, useState } from "react";
import { quietBeforePlanMs } from "#newsletter/issues/draft.ts";
import { isSaved, type Saving } from "../draft-saving.ts";
import { ToolButton } from "../editor/toolbar.tsx";
import { Ago, loadFrame } from "../ui.tsx";

export function SavingStatus({ state, isArriving }: { state: Saving; isArriving: boolean }) {
  const { trouble, isKept, savedAt } = state;
  const isDone = isSaved(state);
  const waiting = trouble === "planned_soon" ? "Kept in this window" : "Not saved";
  const unsaved = `${trouble === null ? "Saving…" : waiting}${isKept ? "" : ` ${notKept}`}`;
  return (
    <p className="empty">
      <span role="status">{isArriving ? "Adding a picture…" : isDone ? "Saved " : unsaved}</span>
      {/* Not announced each minute. */}
      {isDone && !isArriving && <Ago at={savedAt} />}
    </p>
  );
}

const notKept = "This browser can’t keep a copy of it: leave this window open until it is saved.";

export function SavingTrouble({ state: { trouble, problem, isKept } }: { state: Saving }) {
  if (trouble === null || trouble === "planned_soon" || trouble === "changed_elsewhere")
    return null;
  return (
    <div className="notice wrong" role="alert">
      <p>{problem}</p>
      <p>{isKept ? "It is kept in this browser meanwhile." : notKept}</p>
    </div>
  );
}

type CountdownProps = {
  dueAt: string;
  isWaiting: boolean;
  onDue: () => void;
  onAsked: () => void;
};

/** The last minutes before a plan, in which only what is asked for is saved. */
export function Countdown({ dueAt, isWaiting, onDue, onAsked }: CountdownProps) {
  const [leftSeconds, setLeftSeconds] = useState<number | null>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      const left = Date.parse(dueAt) - Date.now();
      setLeftSeconds(left < quietBeforePlanMs ? Math.ceil(left / 1000) : null);
      if (left < 0) onDue();
    }, 1_000);
    return () => clearInterval(timer);
  }, [dueAt, onDue]);
  if (leftSeconds === null) return null;
  const left = Math.max(0, leftSeconds);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <div className="notice" role="timer">
      <p>
        {left === 0 ? "It is being published" : `It is published in ${clock}`}, as it was last
        saved. What you write now stays in this window until then.
      </p>
      {isWaiting && left > 0 && (
        <button type="button" className="button" onClick={onAsked}>
          Publish this text instead
        </button>
      )}
    </div>
  );
}

type ChangedElsewhereProps = { isIssue: boolean; text: string; onReload: () => void };

export function ChangedElsewhere({ isIssue, text, onReload }: ChangedElsewhereProps) {
  const [copied, setCopied] = useState("");
  return (
    <div className="notice wrong" role="alert">
      <p>
        {isIssue
          ? "The published issue was changed since this draft was made from it, so the draft can’t be published."
          : "Another window has changed this draft since, and the text here can’t be saved."}{" "}
        Copy what you need of it, then load the other.
      </p>
      <p className="actions">
        <button
          type="button"
          className="button"
          onClick={() => void copyLetter(text).then(() => setCopied(text))}
        >
          {copied === text ? "Copied" : "Copy this text"}
        </button>
        <button type="button" className="button danger" onClick={onReload}>
          Discard mine, load the other
        </button>
      </p>
    </div>
  );
}

/** For the letter's own editor, and in words for others. */
async function copyLetter(html: string): Promise<void> {
  const { body } = new DOMParser().parseFromString(html.replaceAll("</p>", "</p>\n"), "text/html");
  const kinds = { "text/html": html, "text/plain": body.textContent ?? "" };
  await navigator.clipboard.write([new ClipboardItem(kinds)]);
}

export function Notes({ notes }: { notes: string[] }) {
  return (
    <ul className="findings">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

const views = {
  phone: { name: "Phone", kind: "page", widthPx: 390 },
  desktop: { name: "Desktop", kind: "page", widthPx: 1280 },
  mail: { name: "Mail", kind: "light", widthPx: 800 },
  dark: { name: "Dark mail", kind: "dark", widthPx: 390 },
};

type View = keyof typeof views;

export function NoPreview() {
  return (
    <section className="preview">
      <h2>How it will look</h2>
      <p>Write, or paste from Word or Docs: the page and the mail appear here.</p>
    </section>
  );
}

/** Shows a draft, or an issue's page, at its `path` at the desk. */
export function Preview({ path, version }: { path: string; version?: number }) {
  const [view, setView] = useState<View>("phone");
  const [fit, setFit] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const { name, kind, widthPx } = views[view];

  useEffect(() => {
    if (!box.current) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) setFit(Math.min(1, entry.contentRect.width / widthPx));
    });
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, [widthPx]);

  const looks = (Object.keys(views) as View[]).filter(
    (each) => version !== undefined || views[each].kind === "page",
  );
  const src = `${path}/preview/${kind}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is shown anew.
  useEffect(() => loadFrame(frame.current, src), [src, version]);

  return (
    <section className="preview" aria-label="Preview">
      <fieldset className="tools" aria-label="Look">
        {looks.map((each) => (
          <ToolButton
            key={each}
            name={views[each].name}
            aria-pressed={each === view}
            onClick={() => setView(each)}
          />
        ))}
      </fieldset>
      <div className="frame" ref={box}>
        <iframe
          ref={frame}
          title={`The ${kind === "page" ? "page" : "mail"}: ${name}`}
          // No scripts; its own origin alone, so that styles and pictures come with the session.
          sandbox="allow-same-origin"
          style={{ inlineSize: widthPx, blockSize: `${100 / fit}%`, scale: String(fit) }}
        />
      </div>
    </section>
  );
}
