import type { DraftWords } from "#contracts/draft.ts";
import { type ComposedMail, composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { type Draft, readDraft, saveDraft } from "#newsletter/drafts.ts";
import { type FoundIssue, findIssue, type IssueWords, listIssues } from "#newsletter/issues.ts";
import { describeDraftProblem } from "#operator/plan-words.ts";
import { type deskOf, idOf, type PageArgs, readId } from "./desk-context.ts";

export type Saved =
  | { ok: true; version: number; savedAt: string; problems: string[]; notes: string[] }
  | { ok: false; reason: "changed_elsewhere"; version: number }
  | { ok: false; reason: "unknown_draft" | "too_long" };

/** Saves the posted words over the version that they were typed upon. */
export async function saveForm(desk: ReturnType<typeof deskOf>, args: PageArgs) {
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const words: DraftWords = {
    title: text("title"),
    preheader: text("preheader"),
    publish_date: text("publish_date"),
    format: text("format") === "html" ? "html" : "markdown",
    body: text("body").replaceAll("\r\n", "\n"),
  };
  const id = idOf(args, "draft");
  const version = readId(text("version")) ?? 0;
  const saved = await saveDraft(desk.db, { id, version, now: desk.now(), ...words });
  return { saved, intent: text("intent") };
}

export type JudgedDraft = {
  /** The issue that it corrects. */
  issue: FoundIssue | null;
  number: number;
  /** The issue that it would be; null while something is missing. */
  words: IssueWords | null;
  mail: ComposedMail | null;
  /** Why it can't be published. */
  problems: string[];
  /** What the operator should know before it is. */
  notes: string[];
};

/** Reads a draft as the issue that it corrects or as the next one, and composes its mail. */
export async function judge(
  { db, settings, now }: ReturnType<typeof deskOf>,
  draft: Draft,
): Promise<JudgedDraft> {
  const issue = draft.issue_id === null ? null : await findIssue(db, draft.issue_id);
  const [newest] = await listIssues(db, { limit: 1 });
  const place = { issue, number: issue?.number ?? (newest?.number ?? 0) + 1 };
  const read = await readDraft(draft, issue, now());
  if (!read.ok) {
    const problems = read.problems.map(describeDraftProblem);
    return { ...place, words: null, mail: null, problems, notes: [] };
  }
  const { words, removed, droppedHeading, unusedNames } = read.issue;
  const mail = composeIssueMail({
    issue: { id: issue?.id ?? 0, number: place.number, ...words },
    site: settings,
    tokenPlaceholder: "preview",
    preheader: words.preheader,
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
