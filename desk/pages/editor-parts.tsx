import { useState } from "react";
import { isSaved, type Saving } from "../draft-saving.ts";
import type { JudgedDraft } from "../save-draft-form.ts";
import { Submit, When } from "../ui.tsx";

const troubles: Record<NonNullable<Saving["trouble"]>, string> = {
  lost: "There is no connection to the desk. Your text is saved when it is back.",
  closed:
    "The desk was closed or started again: open the new link that it prints, and your text is saved.",
  unknown_draft: "This draft was deleted in another window.",
  too_long: "The text is longer than an issue may be. It is not saved.",
  changed_elsewhere: "Another window has changed this draft since. Which text do you want to keep?",
};

/** Says whether the text is saved, and asks which one stays where another window has saved another. */
export function SavingNotice({
  state,
  onKeepMine,
  onTakeTheirs,
}: {
  state: Saving;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  const { trouble, isKept, savedAt } = state;
  const isDone = isSaved(state);
  const copy = isKept
    ? "It is kept in this browser meanwhile."
    : "This browser can’t keep a copy of it: leave this window open until it is saved.";
  if (trouble === null) {
    return (
      <p className="empty" role="status">
        {isDone ? (
          <>
            Saved, <When at={savedAt} />
          </>
        ) : (
          "Saving…"
        )}
        {!isDone && !isKept && ` ${copy}`}
      </p>
    );
  }
  return (
    <div className="notice wrong" role="alert">
      <p>{troubles[trouble]}</p>
      {(trouble === "lost" || trouble === "closed" || !isKept) && <p>{copy}</p>}
      {trouble === "changed_elsewhere" && (
        <p className="actions">
          <button type="button" className="button" onClick={onKeepMine}>
            The one in this window
          </button>
          <button type="button" className="button" onClick={onTakeTheirs}>
            The other one
          </button>
        </p>
      )}
    </div>
  );
}

export function Comparison({ own, issue }: NonNullable<JudgedDraft["change"]>) {
  return (
    <section className="notice wrong" aria-label="Changed elsewhere">
      <p>
        The published issue was changed elsewhere since this draft was made from it. Nothing is
        overwritten until you choose.
      </p>
      <div className="row">
        {[
          { name: "This draft", intent: "keep own", keep: "Keep this draft", ...own },
          {
            name: "Published now",
            intent: "keep issue",
            keep: "Take the published text",
            ...issue,
          },
        ].map(({ name, intent, keep, title, publishDate, text }) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <p>
              {title} · <time dateTime={publishDate}>{publishDate}</time>
            </p>
            <pre className="letter">{text}</pre>
            <Submit intent={intent}>{keep}</Submit>
          </section>
        ))}
      </div>
    </section>
  );
}

export function Checks({ problems, notes }: { problems: string[]; notes: string[] }) {
  return (
    <section aria-label="Checks">
      <h2>Before it is published</h2>
      {problems.length + notes.length === 0 && <p className="empty">Nothing stands out.</p>}
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
    </section>
  );
}

const kinds = [
  ["page", "Page, phone", "phone"],
  ["page", "Page, desktop", "desktop"],
  ["light", "Mail", "phone"],
  ["dark", "Mail, dark", "phone"],
  ["without-pictures", "Mail, no pictures", "phone"],
  ["plain", "Mail, plain text", "phone"],
] as const;

export function Preview({ draftId, version }: { draftId: number; version: number }) {
  const [chosen, setChosen] = useState(0);
  const [kind, name, frame] = kinds[chosen] ?? kinds[0];
  return (
    <section className="preview" aria-label="Preview">
      <label className="field">
        <span>Preview</span>
        <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
          {kinds.map(([, label], index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <iframe
        className={frame}
        title={name}
        // No scripts; its own origin alone, so that styles and pictures come with the session.
        sandbox="allow-same-origin"
        src={`/issues/drafts/${draftId}/preview/${kind}?version=${version}`}
      />
    </section>
  );
}
