import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { amount } from "#content/amounts.ts";
import { isSaved, type Saving } from "../draft-saving.ts";
import { Ago, failures } from "../ui.tsx";

const troubles: Record<NonNullable<Saving["trouble"]>, string> = {
  lost: "There is no connection to the desk. Your text is saved when it is back.",
  closed:
    "Your session has ended, or the desk was started again: open the desk in another tab, and your text is saved.",
  full: `${failures.full} Your text is saved then.`,
  unknown_draft: "This draft was deleted in another window.",
  too_long: "The text is longer than an issue may be. It is not saved.",
  changed_elsewhere:
    "Another window has changed this draft since, and the text here can’t be saved. Copy what you need of it, then load the other.",
};

type SavingStatusProps = {
  state: Saving;
  wordCount: number | null;
  isArriving: boolean;
  children: ReactNode;
};

export function SavingStatus({ state, wordCount, isArriving, children }: SavingStatusProps) {
  const { trouble, isKept, savedAt } = state;
  const isDone = isSaved(state);
  const minutes = Math.max(1, Math.round((wordCount ?? 0) / 220));
  return (
    <p className="empty">
      <span role="status">
        {isDone && !isArriving && "Saved "}
        {isArriving && "Adding a picture…"}
        {!isDone && !isArriving && (trouble === null ? "Saving…" : "Not saved")}
        {!isDone && !isKept && ` ${notKept}`}
      </span>
      {/* Not announced each minute. */}
      {isDone && !isArriving && <Ago at={savedAt} />}
      {children}
      {wordCount !== null && ` · ${amount(wordCount, "word")}, ${minutes} min to read`}
    </p>
  );
}

const notKept = "This browser can’t keep a copy of it: leave this window open until it is saved.";

type SavingTroubleProps = { state: Saving; onReload: () => void };

export function SavingTrouble({ state: { trouble, isKept, words }, onReload }: SavingTroubleProps) {
  if (trouble === null) return null;
  if (trouble === "changed_elsewhere") {
    return <ChangedElsewhere said={troubles[trouble]} text={words.body} onReload={onReload} />;
  }
  return (
    <div className="notice wrong" role="alert">
      <p>{troubles[trouble]}</p>
      {(["lost", "closed", "full"].includes(trouble) || !isKept) && (
        <p>{isKept ? "It is kept in this browser meanwhile." : notKept}</p>
      )}
    </div>
  );
}

type ChangedElsewhereProps = { said: string; text: string; onReload: () => void };

export function ChangedElsewhere({ said, text, onReload }: ChangedElsewhereProps) {
  const [copied, setCopied] = useState("");
  return (
    <div className="notice wrong" role="alert">
      <p>{said}</p>
      <p className="actions">
        <button
          type="button"
          className="button"
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}
        >
          {copied === text ? "Copied" : "Copy this text"}
        </button>
        <button type="button" className="button" onClick={onReload}>
          Load the other text
        </button>
      </p>
    </div>
  );
}

type ChecksProps = { problems: string[]; notes: string[]; className?: string };

export function Checks({ problems, notes, className }: ChecksProps) {
  return (
    <section aria-label="Checks" className={className}>
      <h2>Before it is published</h2>
      {problems.length + notes.length === 0 && <p className="empty">Nothing stands out.</p>}
      <Notes problems={problems} notes={notes} />
    </section>
  );
}

export function Notes({ problems = [], notes }: { problems?: string[]; notes: string[] }) {
  return (
    <ul className="findings">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
      {notes.map((note) => (
        <li key={note} className="note">
          {note}
        </li>
      ))}
    </ul>
  );
}

const widths = { phone: 390, desktop: 1280 };
const looks = { light: "Light", dark: "Dark" };

type PreviewProps = { draftId: number; version: number; children: ReactNode };

export function Preview({ draftId, version, children }: PreviewProps) {
  const [kind, setKind] = useState("page");
  const [look, setLook] = useState<keyof typeof looks>("light");
  const [width, setWidth] = useState<keyof typeof widths>("phone");
  const [fit, setFit] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const top = useRef(0);
  const widthPx = kind === "page" || width === "phone" ? widths[width] : 800;
  const shown = kind === "page" ? "page" : look;

  useEffect(() => {
    if (!box.current) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) setFit(Math.min(1, entry.contentRect.width / widthPx));
    });
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, [widthPx]);

  // Read before the next version takes its place: it may not have loaded, and nothing heard it being scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version replaces the page.
  useLayoutEffect(() => {
    const reached = frame.current?.contentDocument?.defaultView?.scrollY ?? 0;
    if (reached > 0) top.current = reached;
  }, [version]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top.
  useEffect(() => {
    top.current = 0;
  }, [shown]);

  /** Each save loads the page again; it goes on where one was reading, or where one has scrolled while it loaded. */
  function onLoad({ currentTarget: { contentDocument } }: SyntheticEvent<HTMLIFrameElement>) {
    const page = contentDocument?.defaultView;
    if (!page) return;
    const keepTop = () => {
      top.current = page.scrollY;
    };
    if (page.scrollY > 0) keepTop();
    else page.scrollTo(0, top.current);
    page.addEventListener("scroll", keepTop);
  }

  return (
    <section className="preview" aria-label="Preview">
      <div className="choices">
        <Choices
          label="What"
          choices={{ page: "Page", mail: "Mail" }}
          chosen={kind}
          onChoose={setKind}
        />
        <Choices
          label="Where"
          choices={{ phone: "Phone", desktop: "Desktop" }}
          chosen={width}
          onChoose={setWidth}
        />
        {kind === "mail" && (
          <Choices label="How" choices={looks} chosen={look} onChoose={setLook} />
        )}
      </div>
      <div className="frame" ref={box}>
        <iframe
          ref={frame}
          title={kind === "page" ? "The page" : `The mail: ${looks[look]}`}
          // No scripts; its own origin alone, so that styles and pictures come with the session.
          sandbox="allow-same-origin"
          src={`/issues/drafts/${draftId}/preview/${shown}?version=${version}`}
          style={{ inlineSize: widthPx, blockSize: `${100 / fit}%`, scale: String(fit) }}
          onLoad={onLoad}
        />
      </div>
      {children}
    </section>
  );
}

type ChoicesProps<Name extends string> = {
  label: string;
  choices: Record<Name, string>;
  chosen: Name;
  onChoose: (name: Name) => void;
};

function Choices<Name extends string>({ label, choices, chosen, onChoose }: ChoicesProps<Name>) {
  return (
    <fieldset className="tools" aria-label={label}>
      {(Object.entries(choices) as [Name, string][]).map(([name, words]) => (
        <button
          key={name}
          type="button"
          className="tool"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
