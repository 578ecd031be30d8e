import { type ComposedMail, composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { readDraftWords } from "#newsletter/issues/draft.ts";
import { type Draft, isIssueChanged, readDraft, saveDraft } from "#newsletter/issues/drafts.ts";
import {
  type FoundIssue,
  findIssue,
  type IssueWords,
  nextIssue,
} from "#newsletter/issues/issues.ts";
import { describeDraftProblem } from "#newsletter/issues/plan-words.ts";
import { type deskOf, idOf, type PageArgs, readId } from "./desk-context.ts";

export type Saved =
  | { ok: true; version: number; savedAt: string; problems: string[]; notes: string[] }
  | { ok: false; reason: "changed_elsewhere" | "unknown_draft" | "too_long" };

export async function saveForm(
  { db, now }: ReturnType<typeof deskOf>,
  args: PageArgs,
  form: FormData,
) {
  const version = readId(form.get("version")) ?? 0;
  return await saveDraft(db, {
    id: idOf(args, "draft"),
    version,
    now: now(),
    ...readDraftWords(form),
  });
}

export type JudgedDraft = {
  issue: FoundIssue | null;
  number: number;
  words: IssueWords | null;
  mail: ComposedMail | null;
  isIssueChanged: boolean;
  problems: string[];
  notes: string[];
};

export async function judge(
  { db, settings, now }: ReturnType<typeof deskOf>,
  draft: Draft,
): Promise<JudgedDraft> {
  const issue = draft.issue_id === null ? null : await findIssue(db, draft.issue_id);
  const { number } = issue ?? (await nextIssue(db));
  const read = await readDraft(draft, issue, now());
  const words = read.ok ? read.issue.words : null;
  const isChanged = issue !== null && isIssueChanged(draft, issue, words);
  const place = { issue, number, isIssueChanged: isChanged };
  if (!read.ok) {
    const problems = read.problems.map(describeDraftProblem);
    return { ...place, words: null, mail: null, problems, notes: [] };
  }
  const { removed, droppedHeading, unusedNames } = read.issue;
  const mail = composeIssueMail({
    issue: { id: issue?.id ?? 0, number, ...read.issue.words },
    site: settings,
    tokenPlaceholder: "preview",
    preheader: read.issue.words.preheader,
    now: now(),
  });
  const notes = [
    ...removed
      .filter(({ what }) => !what.startsWith("style property"))
      .map(({ what, count }) => `Left out: ${count} × ${what}.`),
    ...(droppedHeading ? ["The first heading repeats the title, and is left out."] : []),
    ...(unusedNames.length > 0 ? [`Means nothing here: ${unusedNames.join(", ")}.`] : []),
    ...mail.notes.map((note) => `In the mail: ${note}`),
  ];
  return { ...place, words, mail, problems: [], notes };
}
