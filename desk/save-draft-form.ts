import { composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { readDraftWords } from "#newsletter/issues/draft.ts";
import {
  type Draft,
  isIssueChanged,
  type NotSaved,
  readDraft,
  saveDraft,
} from "#newsletter/issues/drafts.ts";
import { findIssue, nextIssue } from "#newsletter/issues/issues.ts";
import { hourOfDraft } from "#newsletter/issues/plans.ts";
import { deskOf, idOf, type PageArgs, readId } from "./desk-context.ts";

export type Checked = { problems: string[]; notes: string[]; isIssueChanged: boolean };

export type Saved = ({ ok: true; version: number; savedAt: string } & Checked) | NotSaved;

export async function saveForm(args: PageArgs, form: FormData) {
  const { db, now } = deskOf(args);
  return await saveDraft(db, {
    id: idOf(args, "draft"),
    version: readId(form.get("version")) ?? 0,
    now,
    asked: form.get("asked") !== "no",
    ...readDraftWords(form),
  });
}

/** A draft as the issue that it would be: its words and its mail, or the problems. */
export async function judge({ db, settings, now }: ReturnType<typeof deskOf>, draft: Draft) {
  const issue = draft.issue_id === null ? null : await findIssue(db, draft.issue_id);
  const { number } = issue ?? (await nextIssue(db));
  const read = await readDraft(draft, issue, await hourOfDraft(db, draft.id, now));
  const words = read.ok ? read.issue.words : null;
  const isChanged = issue ? isIssueChanged(draft, issue, words) : false;
  const place = { issue, number, isIssueChanged: isChanged };
  if (!read.ok) return { ...place, words: null, mail: null, problems: read.problems, notes: [] };
  const { removed, dropsHeading, unusedNames } = read.issue;
  const mail = composeIssueMail({
    issue: { id: issue?.id ?? 0, number, ...read.issue.words },
    site: settings,
    tokenPlaceholder: "preview",
  });
  const notes = [
    ...removed.map(({ what, count }) => `Left out: ${count} × ${what}.`),
    ...(dropsHeading ? ["The first heading repeats the title, and is left out."] : []),
    ...(unusedNames.length > 0 ? [`Means nothing here: ${unusedNames.join(", ")}.`] : []),
    ...mail.notes.map((note) => `In the mail: ${note}`),
  ];
  return { ...place, words, mail, problems: [], notes };
}
