import type { ListedIssue, ShownIssue } from "../archive/archive.ts";

/** An issue as the pages before and after it name it. */
export type IssueNeighbour = { id: number; title: string };

/** What an issue's page shows. */
export type IssuePage =
  | { state: "failed" }
  | {
      state: "not-found";
      /** The newest issues, to read in its place; none where they aren't known without asking. */
      others: ListedIssue[];
    }
  | {
      state: "found";
      issue: ShownIssue;
      /** For search engines: 70 to 160 characters. */
      description: string;
      /** ISO 8601; null where it is no date. */
      datePublished: string | null;
      older: IssueNeighbour | null;
      newer: IssueNeighbour | null;
    };
