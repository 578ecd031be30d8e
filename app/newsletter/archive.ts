import type { DatedIssue } from "./issue-label.ts";

/** An issue as the page shows it. */
export type ShownIssue = DatedIssue & {
  id: number;
  title: string;
  /**
   * Prepared on the server, safe inside an element of class `issue-body`. Null where the page's own HTML holds it: see
   * `useIssueBodyHtml`.
   */
  html: string | null;
};

/** What the archive page shows: three of its four states. Loading is the fourth, and only the browser sees it. */
export type Archive =
  | { state: "failed" }
  | { state: "empty" }
  | {
      state: "has-issues";
      shown: ShownIssue;
      /** Every issue but the newest, newest first. */
      older: (DatedIssue & { id: number })[];
      /** Whether the address asked for an issue that isn't there, so that the latest is shown in its place. */
      askedForUnknown: boolean;
    };

/** The same while the answer is still on its way. */
export type LoadingArchive = { state: "loading"; reading: Promise<Archive> };
