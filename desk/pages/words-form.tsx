import { useEffect, useRef, useState } from "react";
import { Form, useLocation } from "react-router";
import { weekdays } from "#content/hours.ts";
import type { WordField } from "#content/site-words.ts";
import type { SiteWord } from "#settings/site-words.ts";
import { useAskBeforeLeaving } from "../leaving.ts";
import { type Answer, Field, Submit, When } from "../ui.tsx";

/** A row of a fact's form by its fields' names, with the row's `id` in a list. */
type Row = Record<string, string | string[]>;

export function keyOf(path: string): string {
  return path.slice(1).replaceAll("/", "-") || "home";
}

/** The path of the page that an address names; a 404 for what has no words. */
export function pathOf(facts: readonly SiteWord[], key: string | undefined): string {
  const path = facts.find((fact) => keyOf(fact.path) === key)?.path;
  if (path === undefined) throw new Response(null, { status: 404 });
  return path;
}

function rowsOf({ rows, value }: SiteWord): Row[] {
  return (rows ? value : [value]) as Row[];
}

export function filledIn({ fields, rows }: SiteWord, form: FormData): unknown {
  const names = Object.keys(fields);
  const rowAt = (index: number): Row => {
    const given = names.map((name) => {
      const key = `${index}.${name}`;
      const isList = fields[name]?.kind === "days";
      return [name, isList ? form.getAll(key).map(String) : String(form.get(key) ?? "")];
    });
    const row = Object.fromEntries(given);
    return rows ? { ...row, id: String(form.get(`${index}.id`) ?? "") } : row;
  };
  if (!rows) return rowAt(0);
  const all = Array.from({ length: rows.max }, (_, index) => rowAt(index));
  const isFilled = (row: Row) => names.some((name) => String(row[name]).trim() !== "");
  return rows.min === rows.max ? all : all.filter(isFilled);
}

export function linesOf({ fields, rows }: SiteWord, value: unknown): string[] {
  return ((rows ? value : [value]) as Row[]).map((row) =>
    Object.entries(fields)
      .map(([name, { kind }]) => {
        const text = row[name] ?? "";
        if (kind === "portrait") return text && "with a portrait";
        return Array.isArray(text) ? text.join(", ") : text;
      })
      .filter(Boolean)
      .join(" · "),
  );
}

export type WordsAnswer = Answer & {
  current?: SiteWord;
};

type Keyed = { key: number; row: Row };

type FactFormProps = {
  fact: SiteWord;
  current: SiteWord | undefined;
  onTyped: (form: FormData | null) => void;
};

export function FactForm({ fact, current, onTyped }: FactFormProps) {
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
        {rows &&
          rows.max > rows.min &&
          (filled.length < rows.max ? (
            <button type="button" id="add-row" className="button" onClick={add}>
              {`Add a ${rows.name.toLowerCase()}`}
            </button>
          ) : (
            <p id="add-row" tabIndex={-1}>{`There is room for ${rows.max}.`}</p>
          ))}
        {rows && (
          <p role="status" className="unseen">
            {said}
          </p>
        )}
        <div className="actions">
          <Submit intent="save" kind="main">
            Save
          </Submit>
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
  id: string;
  name: string;
  field: WordField;
  value: string | string[];
  onChange: (value: string | string[]) => void;
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
                onChange(
                  weekdays.filter((each) => (each === day ? checked : value.includes(each))),
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
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
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

function Portrait({ name, value, onChange }: PortraitProps) {
  const [problem, setProblem] = useState<string | null>(null);
  async function take(file: File | undefined) {
    if (!file) return;
    const { makePortrait } = await import("../editor/pictures.client.ts");
    const made = await makePortrait(file);
    setProblem(made.ok ? null : made.problem);
    if (made.ok) onChange(made.url);
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
        <button type="button" className="button" onClick={() => onChange("")}>
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
