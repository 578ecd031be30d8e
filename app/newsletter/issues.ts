import type { IssueHead } from "#contracts/ports.ts";

/** The text if it is at most `max` UTF-16 code units long, otherwise its words as far as they fit, with an ellipsis. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = text.slice(0, max - 1);
  const lastSpace = room.lastIndexOf(" ");
  const cut = lastSpace > max / 2 ? room.slice(0, lastSpace) : room;
  return `${cut.replace(/[\s,.;:!?\p{Surrogate}-]+$/u, "")}…`;
}

/** An issue as a list names it. */
export type ListedIssue = Omit<IssueHead, "publishDate"> & {
  /** In US English long form; null where the issue has none. */
  date: string | null;
};

/** An issue as the page shows it. */
export type ShownIssue = ListedIssue & {
  /**
   * Prepared on the server, safe inside an element of class `issue-body`. Its `style` attributes are named
   * {@link styleAttributeAsData}.
   */
  html: string;
};

/**
 * A body's styles come as data: the policy of the page on which the visit began may refuse style attributes in markup,
 * while a script of the site may set the same styles.
 */
export const styleAttributeAsData = "data-style";

/** What the archive page shows: three of its four states. Loading is the fourth, and only the browser sees it. */
export type ArchivePage =
  | { state: "failed" }
  | { state: "empty" }
  | {
      state: "has-issues";
      shown: ShownIssue;
      isLatest: boolean;
      /**
       * Every older issue, newest first, a line each: its id, a space and its label. As one text, since a thousand objects
       * would cost more than the rest of the page.
       */
      choice: string;
      /** The newest issues beside the one that is shown. */
      newest: ListedIssue[];
      /** Whether the address asked for an issue that isn't there, so that the latest is shown in its place. */
      askedForUnknown: boolean;
    };

/** What an issue's page shows. */
export type IssuePage =
  | { state: "failed" }
  | {
      state: "not-found";
      /** The newest issues, to read in its place. */
      others: ListedIssue[];
    }
  | {
      state: "found";
      issue: ShownIssue;
      /** For search engines: 70 to 160 characters. */
      description: string;
      /** ISO 8601; null where it is no date. */
      datePublished: string | null;
      older: ListedIssue | null;
      newer: ListedIssue | null;
    };

type DatedIssue = Pick<ListedIssue, "number" | "date">;

/** `Issue #3 - November 16, 2026`, as the dropdown lists it. */
export function optionLabel(issue: DatedIssue): string {
  return labelWith(" - ", issue);
}

/** `Issue #3 • November 16, 2026`, as an issue is headed. */
export function issueLine(issue: DatedIssue): string {
  return labelWith(" • ", issue);
}

/** `#3 • November 16, 2026`, as a list of issues has it beside the title. */
export function listLine(issue: DatedIssue): string {
  return issueLine(issue).replace(/^Issue /, "");
}

function labelWith(separator: string, { number, date }: DatedIssue): string {
  return [`Issue #${number}`, ...(date ? [date] : [])].join(separator);
}

/** Digits alone, without a sign and without a leading zero, so that an issue has one address. */
const decimalId = /^[1-9]\d{0,15}$/;

/** The numeric id in an address, 1 to 2^53 - 1; null for anything else, which no issue can have. */
export function parseIssueId(text: string): number | null {
  if (!decimalId.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
