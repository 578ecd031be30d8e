import type { Selectable } from "kysely";
import { type DraftWords, sameWords } from "#contracts/draft.ts";
import type { Database, Db } from "#db/tables.ts";
import { findIssue, type IssueWords, publishIssue, reviseIssue } from "./issues.ts";
import { linkDraftPictures, removeDraftPictures } from "./pictures.ts";
import { findPreheader } from "./sends/steer-send.ts";

export type Draft = Selectable<Database["drafts"]>;

/** The longest body that is stored, in UTF-16 code units: that of an issue, and room for what it is cut from. */
export const draftBodyMaxLength = 1_000_000;

const empty: DraftWords = {
  title: "",
  preheader: "",
  publish_date: "",
  format: "markdown",
  body: "",
};

export async function createDraft(
  db: Db,
  { now, issueId = null, ...words }: { now: Date; issueId?: number | null } & Partial<DraftWords>,
): Promise<number> {
  const { id } = await db
    .insertInto("drafts")
    .values({
      ...empty,
      ...words,
      issue_id: issueId,
      version: 1,
      created_at: now.toISOString(),
      saved_at: now.toISOString(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Drafts without their bodies, the last saved first. */
export async function listDrafts(db: Db): Promise<Omit<Draft, "body">[]> {
  return await db
    .selectFrom("drafts")
    .select(["id", "issue_id", "title", "preheader", "publish_date", "format", "version"])
    .select(["created_at", "saved_at"])
    .orderBy("saved_at", "desc")
    .limit(500)
    .execute();
}

export async function findDraft(db: Db, id: number): Promise<Draft | null> {
  const draft = await db.selectFrom("drafts").selectAll().where("id", "=", id).executeTakeFirst();
  return draft ?? null;
}

/** The draft that corrects an issue: the one that is open, or a new one with the issue's words. Null without such an issue. */
export async function draftOfIssue(db: Db, { issueId, now }: { issueId: number; now: Date }) {
  const open = await db
    .selectFrom("drafts")
    .select("id")
    .where("issue_id", "=", issueId)
    .executeTakeFirst();
  if (open) return open.id;
  const issue = await findIssue(db, issueId);
  if (!issue) return null;
  return await createDraft(db, {
    now,
    issueId,
    title: issue.title,
    preheader: (await findPreheader(db, issueId)) ?? "",
    publish_date: issue.publishDate,
    format: "html",
    body: issue.html.replaceAll("\r\n", "\n"),
  });
}

type SaveDraftResult =
  | { ok: true; draft: Draft }
  /** Another window has saved it since, or it is gone. */
  | { ok: false; reason: "changed_elsewhere"; version: number }
  | { ok: false; reason: "unknown_draft" };

/** Saves a draft over `version`, and nothing where another window has saved other words since. */
export async function saveDraft(
  db: Db,
  { id, version, now, ...words }: { id: number; version: number; now: Date } & DraftWords,
): Promise<SaveDraftResult> {
  const saved = await db
    .updateTable("drafts")
    .set({ ...words, version: version + 1, saved_at: now.toISOString() })
    .where("id", "=", id)
    .where("version", "=", version)
    .returningAll()
    .executeTakeFirst();
  if (saved) return { ok: true, draft: saved };
  const draft = await findDraft(db, id);
  if (!draft) return { ok: false, reason: "unknown_draft" };
  if (sameWords(draft, words)) return { ok: true, draft };
  return { ok: false, reason: "changed_elsewhere", version: draft.version };
}

export async function deleteDraft(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await removeDraftPictures(trx, id);
    await trx.deleteFrom("drafts").where("id", "=", id).execute();
  });
}

/**
 * Publishes a draft as `words`, or corrects its issue with them. The draft stays, as the source of the next correction.
 * Nothing happens where another window has saved or published it since.
 */
export async function publishDraft(
  db: Db,
  {
    draft: { id, version, issue_id },
    words,
    now,
  }: { draft: Pick<Draft, "id" | "version" | "issue_id">; words: IssueWords; now: Date },
): Promise<{ ok: true; issueId: number } | { ok: false; reason: "changed_elsewhere" }> {
  const claimed = await db
    .updateTable("drafts")
    .set({ version: version + 1 })
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  if (claimed.numUpdatedRows === 0n) return { ok: false, reason: "changed_elsewhere" };
  const issue = issue_id === null ? null : await findIssue(db, issue_id);
  let issueId = issue?.id ?? 0;
  if (issue) {
    const change = { ...words, id: issue.id, from: issue.html, to: words.html, pictures: [], now };
    if (!(await reviseIssue(db, change))) return { ok: false, reason: "changed_elsewhere" };
  } else {
    ({ id: issueId } = await publishIssue(db, words));
  }
  await linkDraftPictures(db, { draftId: id, issueId });
  await db.updateTable("drafts").set({ issue_id: issueId }).where("id", "=", id).execute();
  return { ok: true, issueId };
}
