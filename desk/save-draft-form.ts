import { draftIssue } from "#cli/issues/draft-issue.ts";
import type { DraftWords } from "#contracts/draft.ts";
import { type ComposedMail, composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { type Draft, draftBodyMaxLength, saveDraft } from "#newsletter/drafts.ts";
import { findIssue, type IssueWords, listIssues } from "#newsletter/issues.ts";
import { type deskOf, idOf, type PageArgs, readId } from "./desk-context.ts";

export type Saved =
  | { ok: true; version: number; savedAt: string; problems: string[]; notes: string[] }
  | { ok: false; reason: "changed_elsewhere"; version: number }
  | { ok: false; reason: "unknown_draft" | "too_long" };

/** Saves the posted words over the version that they were typed upon, and judges them. */
export async function saveForm(
  desk: ReturnType<typeof deskOf>,
  args: PageArgs,
): Promise<
  { ok: true; draft: Draft; judged: JudgedDraft; intent: string } | Exclude<Saved, { ok: true }>
> {
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const words: DraftWords = {
    title: text("title"),
    preheader: text("preheader"),
    publish_date: text("publish_date"),
    format: text("format") === "html" ? "html" : "markdown",
    body: text("body").replaceAll("\r\n", "\n"),
  };
  if (words.body.length > draftBodyMaxLength) return { ok: false, reason: "too_long" };
  const id = idOf(args, "draft");
  const version = readId(text("version")) ?? 0;
  const saved = await saveDraft(desk.db, { id, version, now: desk.now(), ...words });
  if (!saved.ok) return saved;
  return { ...saved, judged: await judge(desk, saved.draft), intent: text("intent") };
}

export type JudgedDraft = {
  /** Null where the issue has none yet. */
  id: number | null;
  number: number;
  /** The issue that it would be; null while something is missing. */
  words: IssueWords | null;
  mail: ComposedMail | null;
  /** Why it can't be published. */
  problems: string[];
  /** What the operator should know before it is. */
  notes: string[];
};

/**
 * Reads a draft as a file is read that is published from a terminal, as the issue that it corrects or as the next one, and
 * composes its mail.
 */
export async function judge(
  { db, settings, now }: ReturnType<typeof deskOf>,
  draft: Draft,
): Promise<JudgedDraft> {
  const issue = draft.issue_id === null ? null : await findIssue(db, draft.issue_id);
  const [newest] = await listIssues(db, { limit: 1 });
  const place = { id: issue?.id ?? null, number: issue?.number ?? (newest?.number ?? 0) + 1 };
  const read = draftIssue({
    name: "draft",
    text: draft.body,
    format: draft.format,
    title: draft.title.trim() || undefined,
    date: draft.publish_date || undefined,
    now: now(),
  });
  if (!read.ok) {
    const problems = read.problems.map(({ message }) => sentence(message));
    return { ...place, words: null, mail: null, problems, notes: [] };
  }
  const { title, html, publishDate, removed, droppedHeading, unusedNames } = read.draft;
  const preheader = draft.preheader.trim() || read.draft.preheader;
  const words = { title, html, publishDate, preheader };
  const mail = composeIssueMail({
    issue: { ...place, id: place.id ?? 0, ...words },
    site: settings,
    tokenPlaceholder: "preview",
    preheader,
    now: now(),
  });
  const notes = [
    ...removed
      .filter(({ what }) => !what.startsWith("style property"))
      .map(({ what, count }) => `Left out: ${count} × ${what}.`),
    ...(droppedHeading ? ["The first heading repeats the title, and is left out."] : []),
    ...(unusedNames.length > 0 ? [`Means nothing here: ${unusedNames.join(", ")}.`] : []),
    ...mail.notes.map(sentence),
  ];
  return { ...place, words, mail, problems: [], notes };
}

/** Messages of the command line name its options. */
function sentence(message: string): string {
  const words = message.replace(/^--/, "The ").replace("with --title, or title:", "or title:");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
