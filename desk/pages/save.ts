import {
  type Draft,
  type DraftWords,
  draftBodyMaxLength,
  findDraft,
  saveDraft,
} from "#newsletter/drafts.ts";
import { findIssue, listIssues } from "#newsletter/issues.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { type JudgedDraft, judgeDraft } from "../judge-draft.ts";

export type Saved =
  | { ok: true; version: number; savedAt: string; problems: string[]; notes: string[] }
  | { ok: false; reason: "changed_elsewhere"; version: number }
  | { ok: false; reason: "unknown_draft" | "too_long" };

/** Saves a draft as its page does while one types. */
export async function action(args: PageArgs): Promise<Response> {
  const saved = await saveForm(deskOf(args), args);
  if (!saved.ok) return Response.json(saved);
  const { judged, draft, ...rest } = saved;
  return Response.json({ ...rest, problems: judged.problems, notes: judged.notes });
}

/** Saves the posted words over the version that they were typed upon, and judges them. */
export async function saveForm(
  desk: ReturnType<typeof deskOf>,
  { request, params }: PageArgs,
): Promise<
  | {
      ok: true;
      version: number;
      savedAt: string;
      draft: Draft;
      judged: JudgedDraft;
      intent: string;
    }
  | Exclude<Saved, { ok: true }>
> {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const words: DraftWords = {
    title: text("title"),
    preheader: text("preheader"),
    publish_date: text("publish_date"),
    format: text("format") === "html" ? "html" : "markdown",
    body: text("body").replaceAll("\r\n", "\n"),
  };
  if (words.body.length > draftBodyMaxLength) return { ok: false, reason: "too_long" };
  const id = Number(params.draft);
  const version = Number(text("version"));
  const saved = await saveDraft(desk.db, { id, version, now: desk.now(), ...words });
  if (!saved.ok) return saved;
  const draft = await findDraft(desk.db, id);
  if (!draft) return { ok: false, reason: "unknown_draft" };
  return { ...saved, draft, judged: await judge(desk, draft), intent: text("intent") };
}

/** Judges a draft as the issue that it corrects, or as the next one. */
export async function judge(
  { db, settings, now }: ReturnType<typeof deskOf>,
  draft: Draft,
): Promise<JudgedDraft & { id: number | null; number: number }> {
  const issue = draft.issue_id === null ? null : await findIssue(db, draft.issue_id);
  const [newest] = await listIssues(db, { limit: 1 });
  const number = issue?.number ?? (newest?.number ?? 0) + 1;
  const id = issue?.id ?? null;
  return { id, number, ...judgeDraft(draft, { id: id ?? 0, number, settings, now: now() }) };
}
