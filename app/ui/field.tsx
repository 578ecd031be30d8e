import type { ComponentProps, ReactNode } from "react";
import "./field.css";

type FieldProps = {
  label: string;
  name: string;
  /** In place of `name` where a page has two forms with the same field. */
  id?: string;
  /** What is wrong with it; also marks the field as invalid. */
  error?: string;
  hint?: string;
  /** Beside the label, for the eye: that the field is required, for instance. */
  mark?: ReactNode;
  className?: string;
};

type Described = {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
};

/** A labelled one-line field. */
export function TextField({
  label,
  name,
  id = name,
  error,
  hint,
  mark,
  className,
  ...input
}: FieldProps & Omit<ComponentProps<"input">, keyof FieldProps>) {
  return (
    <Field {...{ label, name, id, error, hint, mark, className }}>
      {(described) => <input type="text" className="field-input" {...input} {...described} />}
    </Field>
  );
}

/** A labelled field for longer text. */
export function TextAreaField({
  label,
  name,
  id = name,
  error,
  hint,
  mark,
  className,
  ...textarea
}: FieldProps & Omit<ComponentProps<"textarea">, keyof FieldProps>) {
  return (
    <Field {...{ label, name, id, error, hint, mark, className }}>
      {(described) => (
        <textarea className="field-input field-textarea" {...textarea} {...described} />
      )}
    </Field>
  );
}

/** A labelled menu. */
export function SelectField({
  label,
  name,
  id = name,
  error,
  hint,
  mark,
  className,
  ...select
}: FieldProps & Omit<ComponentProps<"select">, keyof FieldProps>) {
  return (
    <Field {...{ label, name, id, error, hint, mark, className }}>
      {(described) => <select className="field-input" {...select} {...described} />}
    </Field>
  );
}

type FieldFrameProps = FieldProps & { id: string; children: (described: Described) => ReactNode };

function Field({ label, name, id, error, hint, mark, className = "", children }: FieldFrameProps) {
  const hintId = hint && `${id}-hint`;
  const errorId = error && `${id}-error`;
  return (
    <div className={`field ${className}`}>
      <div className="field-head">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {mark}
      </div>
      {children({
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
