import { type ComponentProps, createElement, type ReactNode } from "react";

type FieldProps = {
  label: string;
  name: string;
  /** In place of `name` where a page has two forms with the same field. */
  id?: string;
  /** What is wrong with it; also says that the field is invalid. */
  error?: string;
  hint?: string;
  /** Beside the label, for the eye: that the field is required, for instance. */
  beside?: ReactNode;
  className?: string;
};

type FieldOf<Tag extends "input" | "textarea" | "select"> = FieldProps &
  Omit<ComponentProps<Tag>, keyof FieldProps>;

/** A labelled one-line field. */
export function TextField(props: FieldOf<"input">) {
  return <Field tag="input" type="text" {...props} />;
}

/** A labelled field for longer text. */
export function TextAreaField(props: FieldOf<"textarea">) {
  return <Field tag="textarea" {...props} />;
}

/** A labelled menu. */
export function SelectField(props: FieldOf<"select">) {
  return <Field tag="select" {...props} />;
}

function Field({
  tag,
  label,
  name,
  id = name,
  error,
  hint,
  beside,
  className = "",
  ...given
}: FieldProps & { tag: "input" | "textarea" | "select"; type?: string }) {
  const hintId = hint && `${id}-hint`;
  const errorId = error && `${id}-error`;
  return (
    <div className={`field ${className}`}>
      <div className="field-head">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {beside}
      </div>
      {createElement(tag, {
        className: "field-input",
        ...given,
        id,
        name,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": [errorId, hintId].filter(Boolean).join(" ") || undefined,
      })}
      {hint && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
