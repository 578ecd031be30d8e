import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useLocation } from "react-router";
import { weekdays } from "#content/hours.ts";
import type { WordField } from "#content/site-words.ts";
import type { SiteWord, WordChange } from "#operator/site-words.ts";
import { useAskBeforeLeaving } from "../leaving.ts";
import { linesOf, type Row, rowsOf } from "../site-word-form.ts";
import { Act, type Answer, Field, Submit, When } from "../ui.tsx";

export type WordsAnswer = Answer & {
  /** Set where somebody else has changed the fact since; the form keeps what was typed. */
  current?: SiteWord;
};

type Keyed = { key: number; row: Row };

/** A fact's words, to be changed. It begins anew with each version that is stored. */
export function FactForm({
  fact,
  current,
  preview,
  onTyped,
}: {
  fact: SiteWord;
  current: SiteWord | undefined;
  /** Where the page is made with what is typed. */
  preview: string;
  onTyped: (form: FormData | null) => void;
}) {
  const { name, label, sentence, fields, rows } = fact;
  const stored = current ?? fact;
  const form = useRef<HTMLFormElement>(null);
  const [filled, setFilled] = useState<Keyed[]>(() => keyed(rowsOf(fact)));
  const isDirty = JSON.stringify(filled.map(({ row }) => row)) !== JSON.stringify(rowsOf(stored));
  const [said, setSaid] = useState("");
  const focus = useRef<string>(null);
  useAskBeforeLeaving(
    isDirty,
    "What you wrote isn’t saved. Leave it?",
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && from.pathname + from.search !== to.pathname + to.search,
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the fields.
  useEffect(() => {
    onTyped(isDirty && form.current ? new FormData(form.current) : null);
    if (focus.current) document.getElementById(focus.current)?.focus();
    focus.current = null;
  }, [filled]);
  useEffect(() => () => onTyped(null), [onTyped]);

  const { state } = useLocation();
  useEffect(() => {
    if (!state) return;
    const fields = [...(form.current?.elements ?? [])] as HTMLInputElement[];
    const chosen = fields.find(({ name: field }) => field === state.field);
    (chosen ?? fields.find(({ type }) => type !== "hidden"))?.focus();
  }, [state]);

  function change(key: number, field: string, value: string | string[]) {
    setFilled((all) =>
      all.map((each) => (each.key === key ? { key, row: { ...each.row, [field]: value } } : each)),
    );
  }

  function move(from: number, to: number) {
    const moved = filled.toSpliced(from, 1).toSpliced(to, 0, ...filled.slice(from, from + 1));
    setFilled(moved);
    focus.current = `${to > from ? "down" : "up"}-${filled[from]?.key}`;
    setSaid(`Now number ${to + 1} of ${filled.length}.`);
  }

  function remove(index: number) {
    setFilled(filled.toSpliced(index, 1));
    focus.current = "add-row";
    setSaid(`${rows?.name} ${index + 1} is removed, once you save.`);
  }

  function add() {
    const key = Math.max(0, ...filled.map((each) => each.key)) + 1;
    const names = [...Object.keys(fields), "id"];
    setFilled([...filled, { key, row: Object.fromEntries(names.map((field) => [field, ""])) }]);
    focus.current = `${key}.${Object.keys(fields)[0]}`;
    setSaid("");
  }

  return (
    <>
      {rows || fact.over === undefined ? <h2>{label}</h2> : null}
      {sentence && <p>{sentence}</p>}
      {fact.fault && (
        <p role="alert">
          What was saved last can't be shown, so the site has its usual words: {fact.fault}
        </p>
      )}
      {current && (
        <div className="notice stack">
          <p>
            <b>The other’s words</b>, <When at={current.changedAt} />
          </p>
          {linesOf(current, current.value).map((line) => (
            <p key={line}>{line}</p>
          ))}
          <button
            type="button"
            className="button"
            onClick={() => setFilled(keyed(rowsOf(current)))}
          >
            Take these
          </button>
        </div>
      )}
      <Form method="post" className="stack" ref={form}>
        <input type="hidden" name="basedOn" value={stored.changedAt ?? ""} />
        <input type="hidden" name="word" value={name} />
        {filled.map(({ key, row }, index) => {
          const inputs = Object.entries(fields).map(([field, shape]) => (
            <Input
              key={field}
              id={`${key}.${field}`}
              name={`${index}.${field}`}
              field={shape}
              value={row[field] ?? ""}
              onChange={(value) => change(key, field, value)}
            />
          ));
          if (!rows) return inputs;
          const named = `${rows.name} ${index + 1}`;
          const isLast = index === filled.length - 1;
          return (
            <fieldset key={key}>
              <legend>{named}</legend>
              <input type="hidden" name={`${index}.id`} value={String(row.id ?? "")} />
              {inputs}
              <div className="actions">
                {rows.max > rows.min && (
                  <>
                    <Place
                      id={`up-${key}`}
                      label={`Move ${named} up`}
                      onClick={index > 0 ? () => move(index, index - 1) : null}
                    >
                      ↑
                    </Place>
                    <Place
                      id={`down-${key}`}
                      label={`Move ${named} down`}
                      onClick={isLast ? null : () => move(index, index + 1)}
                    >
                      ↓
                    </Place>
                  </>
                )}
                {filled.length > rows.min && (
                  <Place label={`Remove ${named}`} onClick={() => remove(index)}>
                    Remove
                  </Place>
                )}
              </div>
            </fieldset>
          );
        })}
        {rows && rows.max > rows.min && (
          <>
            <noscript>
              <fieldset>
                <legend>{`${rows.name} ${filled.length + 1}`}</legend>
                {Object.entries(fields).map(([field, shape]) => (
                  <Input key={field} name={`${filled.length}.${field}`} field={shape} value="" />
                ))}
                <p>One with every field empty is left out.</p>
              </fieldset>
            </noscript>
            {filled.length < rows.max ? (
              <button type="button" id="add-row" className="button" onClick={add}>
                {`Add a ${rows.name.toLowerCase()}`}
              </button>
            ) : (
              <p id="add-row" tabIndex={-1}>{`There is room for ${rows.max}.`}</p>
            )}
          </>
        )}
        {rows && (
          <p role="status" className="unseen">
            {said}
          </p>
        )}
        <div className="actions">
          <Submit intent="save" kind="main">
            Save
          </Submit>
          <noscript>
            <button type="submit" className="button" formAction={preview} formTarget="preview">
              Preview
            </button>
          </noscript>
          {isDirty && <small>Not saved yet.</small>}
        </div>
      </Form>
    </>
  );
}

function keyed(rows: readonly Row[]): Keyed[] {
  return rows.map((row, key) => ({ key, row }));
}

type PlaceProps = { id?: string; label: string; onClick: (() => void) | null; children: string };

/** A button that can't be used stays where the keyboard is. */
function Place({ label, onClick, children, id }: PlaceProps) {
  return (
    <button
      type="button"
      id={id}
      className="button"
      aria-label={label}
      aria-disabled={onClick === null}
      onClick={() => onClick?.()}
    >
      {children}
    </button>
  );
}

type InputProps = {
  id?: string;
  name: string;
  field: WordField;
  value: string | string[];
  onChange?: (value: string | string[]) => void;
};

function Input({ id, name, field, value, onChange }: InputProps) {
  const { label, kind, max = 0, isOptional, placeholders = [] } = field;
  if (kind === "days") {
    return (
      <fieldset className="days">
        <legend>{label}</legend>
        {weekdays.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              name={name}
              value={day}
              checked={value.includes(day)}
              onChange={({ currentTarget: { checked } }) => {
                const others = weekdays.filter((each) => value.includes(each) && each !== day);
                onChange?.(
                  weekdays.filter((each) => others.includes(each) || (checked && each === day)),
                );
              }}
            />
            {day}
          </label>
        ))}
      </fieldset>
    );
  }
  if (kind === "portrait") return <Portrait {...{ name, value: String(value), onChange }} />;
  const text = String(value);
  const tooMany = text.trim().length - max;
  const shared = {
    id,
    name,
    ...(onChange
      ? {
          value: text,
          onChange: (event: { currentTarget: { value: string } }) =>
            onChange(event.currentTarget.value),
        }
      : { defaultValue: text }),
    "aria-invalid": max > 0 && tooMany > 0,
  };
  const help = placeholders.map((each) => `{${each}} ${standsFor[each]}`).join(", ");
  if (kind === "time") {
    return (
      <Field label={label}>
        <input {...shared} type="time" required />
      </Field>
    );
  }
  return (
    <Field label={label} help={help || undefined}>
      {kind === "lines" || max > 40 ? (
        <textarea {...shared} rows={Math.ceil((text.length + 1) / 42)} />
      ) : (
        <input {...shared} type="text" />
      )}
      <small className={tooMany > 0 ? "too-long" : ""} aria-live={tooMany > 0 ? "polite" : "off"}>
        {tooMany > 0
          ? `${tooMany} ${tooMany === 1 ? "character" : "characters"} too long for its place: ${max} fit.`
          : text.trim().length > 0.8 * max
            ? `${text.trim().length} of ${max} characters`
            : isOptional && "May be empty"}
      </small>
    </Field>
  );
}

const standsFor: Record<string, string> = {
  newsletter: "is the newsletter’s name",
  when: "is the wait",
  email: "is your address",
  phone: "is your telephone",
};

type PortraitProps = { name: string; value: string; onChange: InputProps["onChange"] };

/** Turned upright, cut square, shrunk and without the place before it leaves the browser. */
function Portrait({ name, value, onChange }: PortraitProps) {
  const [problem, setProblem] = useState<string | null>(null);
  async function take(file: File | undefined) {
    if (!file) return;
    const { makePortrait } = await import("../editor/pictures.client.ts");
    const made = await makePortrait(file);
    setProblem(made.ok ? null : made.problem);
    if (made.ok) onChange?.(made.url);
  }
  return (
    <div className="row portrait">
      <input type="hidden" name={name} value={value} />
      {value && <img src={value} alt="The portrait now" width={96} height={96} />}
      <Field
        label={value ? "Another portrait" : "Portrait"}
        help="A photo as it is: it is turned upright, cut square and stripped of its place here, in this browser."
      >
        <input
          type="file"
          accept="image/*"
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
      </Field>
      {value && (
        <button type="button" className="button" onClick={() => onChange?.("")}>
          Without it
        </button>
      )}
      {problem && (
        <p className="notice wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Every wording, newest first; any but the one that is shown can be put back. */
export function History({ fact, changes }: { fact: SiteWord; changes: WordChange[] }) {
  const basedOn = fact.changedAt ?? "";
  if (changes.length === 0) return null;
  return (
    <section className="history">
      <h2>History</h2>
      <ol>
        {changes.map((change, index) => {
          const [before, after] = [change.before, change.after].map((value) =>
            linesOf(fact, value),
          );
          const isShown = index === 0;
          return (
            <li key={change.at}>
              <p>
                <b>{change.by || "Somebody"}</b>, <When at={change.at} />
              </p>
              <Difference before={before ?? []} after={after ?? []} />
              {isShown ? (
                <small>This is on the site.</small>
              ) : (
                <Act intent="put back" fields={{ basedOn, at: change.at }}>
                  Put this back
                </Act>
              )}
            </li>
          );
        })}
      </ol>
      {fact.changedAt && (
        <Act intent="take back" fields={{ basedOn }}>
          Put the delivered words back
        </Act>
      )}
    </section>
  );
}

function Difference({ before, after }: { before: string[]; after: string[] }): ReactNode {
  const gone = before.filter((line) => !after.includes(line));
  const come = after.filter((line) => !before.includes(line));
  if (gone.length + come.length === 0) return <p>In another order.</p>;
  return (
    <>
      {gone.map((line) => (
        <p key={`before ${line}`}>
          <span className="unseen">Before: </span>
          <del>{line}</del>
        </p>
      ))}
      {come.map((line) => (
        <p key={`after ${line}`}>
          <span className="unseen">After: </span>
          <ins>{line}</ins>
        </p>
      ))}
    </>
  );
}
