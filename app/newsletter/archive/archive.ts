import type { DatedIssue } from "../issue/issue-label.ts";

/** An issue as a list names it. */
export type ListedIssue = DatedIssue & { id: number; title: string };

/** An issue as the page shows it. */
export type ShownIssue = ListedIssue & {
  /**
   * Prepared on the server, safe inside an element of class `issue-body`. Null where the page's own HTML holds it: see
   * `useIssueBodyHtml`.
   */
  html: string | null;
};

/** Options of the dropdown that belong together: the older issues have no label, what leads further has one. */
export type ChoiceGroup = { label: string | null; options: { id: number; label: string }[] };

/** What the archive page shows: three of its four states. Loading is the fourth, and only the browser sees it. */
export type Archive =
  | { state: "failed" }
  | { state: "empty" }
  | {
      state: "has-issues";
      shown: ShownIssue;
      isLatest: boolean;
      /**
       * Leads to every issue but the newest, newest first: see `issueChoice`. Null where the page's own HTML holds it: see
       * `useChoiceGroups`.
       */
      choice: ChoiceGroup[] | null;
      /**
       * The newest issues beside the one that is shown, as they are listed under the dropdown. Null where the page's own
       * HTML holds them: see `useNewestIssues`.
       */
      newest: ListedIssue[] | null;
      /** Whether the address asked for an issue that isn't there, so that the latest is shown in its place. */
      askedForUnknown: boolean;
    };

/** The same while the answer is still on its way. */
export type LoadingArchive = { state: "loading"; reading: Promise<Archive> };
