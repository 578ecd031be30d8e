import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { amount } from "#content/amounts.ts";
import type { Found } from "./find.ts";
import { failureOfStatus, failures } from "./ui.tsx";

/** Finds a page, an issue, a message, somebody or a setting by its name, and goes there: a combobox in a dialog. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [asked, setAsked] = useState("");
  const [{ found, failure }, setAnswer] = useState<Answer>({ found: null, failure: null });
  const [place, setPlace] = useState(0);
  const navigate = useNavigate();
  useEffect(() => dialog.current?.showModal(), []);

  useEffect(() => {
    const stop = new AbortController();
    // Not for each letter of a word that is typed at once.
    const timer = setTimeout(
      async () => {
        const answer = await ask(asked, stop.signal);
        if (stop.signal.aborted) return;
        setAnswer(answer);
        setPlace(0);
      },
      asked === "" ? 0 : 120,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);

  const hits = (found ?? []).flatMap(({ hits }) => hits);
  const isNothing = found !== null && hits.length === 0;
  const chosen = hits[place];
  const optionId = (index: number) => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: "nearest" });
  }, [id, place]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setPlace((place + step + hits.length) % Math.max(1, hits.length));
    else if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    else if (chosen) {
      onClose();
      void navigate(chosen.to);
    }
    event.preventDefault();
  }

  let index = -1;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Find or go to"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="with-button">
        <input
          role="combobox"
          aria-label="Find or go to"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={chosen && optionId(place)}
          placeholder="A page, an issue, a name, an address, a setting"
          autoComplete="off"
          spellCheck={false}
          value={asked}
          onChange={({ target }) => setAsked(target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
      <p role="status" className={failure ? "notice wrong" : isNothing ? "empty" : "unseen"}>
        {failure ?? (isNothing ? "Nothing has these words." : amount(hits.length, "result"))}
      </p>
      <div role="listbox" id={`${id}-list`} aria-label="What was found">
        {found?.map(({ group, hits }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox.
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <h2 id={`${id}-${group}`} role="presentation">
              {group}
            </h2>
            {hits.map(({ to, title, about }) => {
              index += 1;
              return (
                <Link
                  key={to + title}
                  to={to}
                  role="option"
                  id={optionId(index)}
                  aria-selected={index === place}
                  tabIndex={-1}
                  onClick={onClose}
                >
                  <b>{title || "Untitled"}</b> {about && <span>{about}</span>}
                </Link>
              );
            })}
          </div>
        ))}
      </div>
    </dialog>
  );
}

type Answer = { found: Found[] | null; failure: string | null };

async function ask(asked: string, signal: AbortSignal): Promise<Answer> {
  const address = `/find.json?q=${encodeURIComponent(asked)}`;
  const answer = await fetch(address, { signal }).catch(() => null);
  const found: Found[] | null = answer?.ok ? await answer.json().catch(() => null) : null;
  if (found) return { found, failure: null };
  if (!answer || answer.ok) return { found, failure: failures.lost };
  return { found, failure: failures[failureOfStatus(answer.status) ?? "closed"] };
}
