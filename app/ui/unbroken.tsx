import type { ReactNode } from "react";

/**
 * A compound whose second part is short ("90-day", "second-storey"), with the word after it where it says how long ("90-day
 * roadmap"), a telephone number, a postal code as it is written in
 * Canada, a number with its unit or its street, or a clause's number. A longer compound ("home-improvement") may end a line
 * at its hyphen.
 */
const torn =
  /(\b\d+(?:[.-]\d+)? \w{1,8}\b|\b\d+-day \w{1,8}\b|\b\w+-\w{1,7}\b|\+1 [\d ]+\d|\w\d\w \d\w\d|\b(?:clause|section) [\d.]*\d)/;

/**
 * The text with what a line's end must not tear kept in one piece; its words stay as they are, for tests and screen
 * readers.
 */
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
