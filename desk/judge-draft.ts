import { draftIssue } from "#cli/issues/draft-issue.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { type ComposedMail, composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import type { DraftWords } from "#newsletter/drafts.ts";
import type { IssueWords } from "#newsletter/issues.ts";

export type JudgedDraft = {
  /** The issue that it would be; null while something is missing. */
  words: IssueWords | null;
  mail: ComposedMail | null;
  /** Why it can't be published. */
  problems: string[];
  /** What the operator should know before it is. */
  notes: string[];
};

/** Reads a draft as a file is read that is published from a terminal, and composes its mail. */
export function judgeDraft(
  draft: DraftWords,
  {
    id,
    number,
    settings,
    now,
    token = "preview",
  }: { id: number; number: number; settings: SiteSettings; now: Date; token?: string },
): JudgedDraft {
  const read = draftIssue({
    name: "draft",
    text: draft.body,
    format: draft.format,
    title: draft.title.trim() || undefined,
    date: draft.publish_date || undefined,
    now,
  });
  if (!read.ok) {
    const problems = read.problems.map(({ message }) => sentence(message));
    return { words: null, mail: null, problems, notes: [] };
  }
  const { title, html, publishDate, removed, droppedHeading, unusedNames } = read.draft;
  const preheader = draft.preheader.trim() || read.draft.preheader;
  const words = { title, html, publishDate, preheader };
  const mail = composeIssueMail({
    issue: { id, number, ...words },
    site: settings,
    tokenPlaceholder: token,
    preheader,
    now,
  });
  const notes = [
    ...removed
      .filter(({ what }) => !what.startsWith("style property"))
      .map(({ what, count }) => `Left out: ${count} × ${what}.`),
    ...(droppedHeading ? ["The first heading repeats the title, and is left out."] : []),
    ...(unusedNames.length > 0 ? [`Means nothing here: ${unusedNames.join(", ")}.`] : []),
    ...mail.notes.map(sentence),
  ];
  return { words, mail, problems: [], notes };
}

/** Messages of the command line name its options. */
function sentence(message: string): string {
  const words = message.replace(/^--/, "The ").replace("with --title, or title:", "or title:");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
