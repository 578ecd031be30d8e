import type { IssueHead } from "#contracts/ports.ts";

export type ListedIssue = Omit<IssueHead, "publishDate"> & {
  /** In US English long form; null if unknown. */
  date: string | null;
};

export type ShownIssue = ListedIssue & {
  /** Safe inside an element of class `issue-body`. */
  html: string;
};

export type ArchivePage =
  | { state: "failed" }
  | { state: "empty" }
  | {
      state: "has-issues";
      shown: ShownIssue;
      isLatest: boolean;
      /** Every issue but the newest. */
      choice: { id: number; label: string }[];
      newest: ListedIssue[];
      /** Whether the requested issue doesn't exist, so that the latest is shown instead. */
      askedForUnknown: boolean;
    };

export type IssueTopic = { path: string; name: string };

export type IssuePage =
  | { state: "failed" }
  | {
      state: "not-found";
      /** The newest issues, as suggestions. */
      others: ListedIssue[];
    }
  | {
      state: "found";
      issue: ShownIssue;
      /** 70 to 160 characters, for search engines. */
      description: string;
      /** ISO 8601 with Toronto's offset; null if unknown. */
      datePublished: string | null;
      dateModified: string | null;
      /** The path of the body's first large picture of this site, for sharing cards. */
      picture: string | null;
      useCase: IssueTopic | null;
      older: ListedIssue | null;
      newer: ListedIssue | null;
    };

export type RegisterYear = { label: string; path: string; count: number };

export type YearOfIssues = RegisterYear & { issues: ListedIssue[] };

export type AllIssues =
  | { state: "failed" }
  | { state: "not-found"; years: RegisterYear[] }
  | {
      state: "found";
      years: RegisterYear[];
      /** Newest first. */
      lists: YearOfIssues[];
      /** Null on the page of all years. */
      year: RegisterYear | null;
    };

type DatedIssue = Pick<ListedIssue, "number" | "date">;

/** `Issue #3 - November 16, 2026`, in the dropdown. */
export function optionLabel(issue: DatedIssue): string {
  return labelWith(" - ", issue);
}

/** `Issue #3 • November 16, 2026`, above an issue. */
export function issueLine(issue: DatedIssue): string {
  return labelWith(" • ", issue);
}

/** `#3 • November 16, 2026`, in a list. */
export function listLine(issue: DatedIssue): string {
  return issueLine(issue).replace(/^Issue /, "");
}

function labelWith(separator: string, { number, date }: DatedIssue): string {
  return [`Issue #${number}`, ...(date ? [date] : [])].join(separator);
}

/** No sign and no leading zero, so that an issue has one address. */
export function parseIssueId(text: string): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null;
}
