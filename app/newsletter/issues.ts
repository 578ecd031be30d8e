import type { CardPicture, IssueHead } from "../ports.ts";

export type ListedIssue = Omit<IssueHead, "publishDate"> & {
  /** US English long form. */
  date: string | null;
  firstLine?: string;
};

export type ShownIssue = ListedIssue & {
  html: string;
};

export type ArchivePage =
  | { state: "failed" }
  | { state: "empty" }
  | {
      state: "has-issues";
      shown: ShownIssue;
      isLatest: boolean;
      choice: { id: number; label: string }[];
      newest: ListedIssue[];
      /** The latest is shown instead. */
      askedForUnknown: boolean;
    };

export type IssueTopic = { path: string; name: string };

export type IssuePage =
  | { state: "failed" }
  | {
      state: "not-found";
      others: ListedIssue[];
    }
  | {
      state: "found";
      issue: ShownIssue;
      /** 70 to 160 characters. */
      description: string;
      /** ISO 8601 with Toronto's offset. */
      datePublished: string | null;
      dateModified: string | null;
      card: CardPicture | null;
      useCase: IssueTopic | null;
      older: ListedIssue | null;
      newer: ListedIssue | null;
    };

export type AllIssues =
  | { state: "failed" }
  | { state: "found"; years: { year: string; issues: ListedIssue[] }[] };

type DatedIssue = Pick<ListedIssue, "number" | "date">;

/** `Issue #3 • November 16, 2026` */
export function issueLine({ number, date }: DatedIssue): string {
  return [`Issue #${number}`, ...(date ? [date] : [])].join(" • ");
}

/** `Issue #3 - November 16, 2026` */
export function optionLabel(issue: DatedIssue): string {
  return issueLine(issue).replace("•", "-");
}

/** `#3 • November 16, 2026` */
export function listLine(issue: DatedIssue): string {
  return issueLine(issue).replace("Issue ", "");
}

/** No sign or leading zero: an issue has one address. */
export function parseIssueId(text: string): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null;
}
