import { type ComponentProps, createElement, type ReactNode } from "react";

type FieldProps = {
  label: string;
  name: string;
  /** Replaces `name` if a page has two forms with the same field. */
  id?: string;
  /** Also marks the field as invalid. */
  error?: string;
  /** Visible only, such as "required". */
  beside?: ReactNode;
  className?: string;
};

type FieldOf<Tag extends "input" | "textarea" | "select"> = FieldProps &
  Omit<ComponentProps<Tag>, keyof FieldProps>;

export function TextField(props: FieldOf<"input">) {
  return <Field tag="input" type="text" {...props} />;
}

export function TextAreaField(props: FieldOf<"textarea">) {
  return <Field tag="textarea" {...props} />;
}

export function SelectField(props: FieldOf<"select">) {
  return <Field tag="select" {...props} />;
}

function Field({
  tag,
  label,
  name,
  id = name,
  error,
  beside,
  className = "",
  ...given
}: FieldProps & { tag: "input" | "textarea" | "select"; type?: string }) {
  const errorId = error && `${id}-error`;
  return (
    <div className={`field ${className}`}>
      <div className="entry">
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
        "aria-describedby": errorId,
      })}
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
