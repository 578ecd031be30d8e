import type { ListedIssue } from "./archive.ts";

/** A year in the register of all issues. */
export type RegisterYear = { label: string; path: string; count: number };

/** What the page of all issues shows, and that of a year. */
export type AllIssues =
  | { state: "failed" }
  /** A year without issues, or a later part of one that has none. */
  | { state: "not-found"; years: RegisterYear[] }
  | {
      state: "found";
      years: RegisterYear[];
      /** The issues listed here, by year, newest first. */
      lists: { year: RegisterYear; issues: ListedIssue[] }[];
      /** The part of a year that is shown; null on the page of all. */
      part: YearPart | null;
    };

export type YearPart = {
  year: RegisterYear;
  /** From 1. */
  page: number;
  pages: number;
  newer: string | null;
  older: string | null;
};
