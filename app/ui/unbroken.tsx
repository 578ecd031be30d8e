import type { ReactNode } from "react";

/**
 * "90-day", a telephone number, a postal code, a number with its unit or street, a clause. "home-
 * improvement" may break.
 */
const torn =
  /(\b\d+(?:[.-]\d+)? \w{1,8}\b|\b\w+(?:-\w{1,7})+\b|\+1 [\d ]+\d|(?:\w+, ON )?\w\d\w \d\w\d|\b(?:clause|section) [\d.]*\d)/;

/** Unchanged for search, copying and screen readers. */
export function unbroken(text: string): ReactNode {
  return text.split(torn).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which never move.
      <span className="whitespace-nowrap" key={index}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** "40+ hours": the unit is smaller. */
export function Figure({ value }: { value: string }) {
  const [, count, unit] = /^(\d\S*) (.*)$/.exec(value) ?? [];
  if (/^\d\S*$/.test(value)) return <span className="whitespace-nowrap">{value}</span>;
  if (!count) return value;
  return (
    <span className="whitespace-nowrap">
      {count}
      <small className="unit"> {unit}</small>
    </span>
  );
}
