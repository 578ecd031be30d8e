import { useEffect, useRef, useState } from "react";
import { Form, useLocation, useNavigationType } from "react-router";
import { weekdays } from "#content/hours.ts";
import { standsFor, type WordField } from "#content/site-words.ts";
import type { SiteWord } from "#settings/site-words.ts";
import { Field, SaveBar, Submit } from "../ui.tsx";
import { SquarePicture } from "./square-picture.tsx";

export type Row = Record<string, string | string[]>;

export function keyOf(path: string): string {
  return path.slice(1).replaceAll("/", "-") || "home";
}

export function pathOf(facts: readonly SiteWord[], key: string | undefined): string {
  const path = facts.find((fact) => keyOf(fact.path) === key)?.path;
  if (path === undefined) throw new Response(null, { status: 404 });
  return path;
}

export function wordsIn(row: Row, fields: SiteWord["fields"]): string[] {
  const written = Object.keys(fields).filter((field) => fields[field]?.kind !== "portrait");
  return written.map((field) => String(row[field] ?? "")).filter(Boolean);
}

type WordFormProps = { fact: SiteWord; onTyped: (field: HTMLInputElement) => void };

export function WordForm({ fact, onTyped }: WordFormProps) {
  const { name, label, sentence, fields, rows, fault, changedAt } = fact;
  const form = useRef<HTMLFormElement>(null);
  const [first] = useState(() =>
    ((rows ? fact.value : [fact.value]) as Row[]).map((row, key) => ({ key, row })),
  );
  const [shown, setShown] = useState(first);
  const { state } = useLocation();
  const isCome = useNavigationType() === "PUSH";
  useEffect(() => {
    if (isCome) focusOn(form.current, state?.field);
  }, [isCome, state]);

  useEffect(() => {
    if (shown === first) return;
    focusOn(form.current, `${shown.length - 1}.${Object.keys(fields)[0]}`);
  }, [shown, first, fields]);

  const inputsOf = (row: Row, index: number) =>
    Object.entries(fields).map(([field, shape]) => (
      <Input key={field} name={`${index}.${field}`} field={shape} value={row[field] ?? ""} />
    ));
  const Box = rows ? "div" : "section";
  const mayChange = rows && rows.max > rows.min;
  return (
    <>
      {Object.values(fields)[0]?.label !== label && <h2>{label}</h2>}
      {sentence && <p>{sentence}</p>}
      {fault && (
        <p role="alert">
          What was saved last can’t be shown, so the site has its usual words: {fault}
        </p>
      )}
      <Form
        method="post"
        className="stack"
        ref={form}
        onInput={({ target }) => onTyped(target as HTMLInputElement)}
      >
        <input type="hidden" name="basedOn" value={changedAt ?? ""} />
        <input type="hidden" name="word" value={name} />
        <Box className={rows && "list"}>
          {shown.map(({ key, row }, index) => {
            if (!rows) return inputsOf(row, index);
            const named = rows.names?.[index] ?? `${rows.name} ${index + 1}`;
            const written = wordsIn(row, fields);
            const title = rows.names ? named : (written.shift() ?? named);
            return (
              <details key={key} name="part" aria-label={named} open={key > first.length}>
                <summary>
                  <b>{title}</b> <span>{written.join(" · ")}</span>
                </summary>
                <div className="stack">
                  <input type="hidden" name={`${index}.id`} value={String(row.id ?? "")} />
                  {inputsOf(row, index)}
                  {mayChange && shown.length > rows.min && (
                    <button
                      type="button"
                      className="button"
                      aria-label={`Remove ${named}`}
                      onClick={() => setShown(shown.toSpliced(index, 1))}
                    >
                      Remove
                    </button>
                  )}
                </div>
              </details>
            );
          })}
        </Box>
        {mayChange && shown.length < rows.max && (
          <button
            type="button"
            className="button"
            onClick={() => setShown([...shown, { key: Date.now(), row: {} }])}
          >
            Add a {rows.name.toLowerCase()}
          </button>
        )}
        <SaveBar isChanged={shown !== first}>
          {changedAt && <Submit intent="take back" deed="Put the delivered words back" />}
        </SaveBar>
      </Form>
    </>
  );
}

function focusOn(form: HTMLFormElement | null, name = ""): void {
  const controls = [...(form?.elements ?? [])] as HTMLInputElement[];
  const named = controls.find((control) => control.name === name);
  const part = named?.closest("details");
  if (part) part.open = true;
  const first =
    form?.querySelector("summary") ?? controls.find(({ type }) => !/hidden|fieldset/.test(type));
  (named ?? first)?.focus();
}

type InputProps = { name: string; field: WordField; value: string | string[] };

function Input({ name, field, value }: InputProps) {
  const { label, kind, max = 0, isOptional, placeholders = [] } = field;
  if (kind === "days") {
    return (
      <fieldset className="choice">
        <legend>{label}</legend>
        {weekdays.map((day) => (
          <label key={day}>
            <input type="checkbox" name={name} value={day} defaultChecked={value.includes(day)} />
            {day}
          </label>
        ))}
      </fieldset>
    );
  }
  const text = String(value);
  if (kind === "portrait") {
    return (
      <SquarePicture
        {...{ name, label, value: text, shown: text || null }}
        help="Any photo: it is cut square, and its location removed."
        kind="photo"
      />
    );
  }
  const shared = { name, defaultValue: text };
  const help = placeholders.map((each) => `{${each}} ${standsFor[each]}`).join(", ");
  return (
    <Field label={label} help={help || (isOptional ? "May be empty." : "")}>
      {kind === "lines" || max > 40 ? (
        <textarea {...shared} />
      ) : (
        <input {...shared} type={kind === "time" ? "time" : "text"} required={kind === "time"} />
      )}
    </Field>
  );
}
