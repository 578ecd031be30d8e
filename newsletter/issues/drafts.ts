import { type Selectable, sql, type Transaction } from "kysely";
import { torontoDate } from "#content/toronto-time.ts";
import { isPostgres } from "#db/database-handle.ts";
import { isFrozen } from "#db/marks.ts";
import type { Database, Db } from "#db/tables.ts";
import { type DraftWords, quietBeforePlanMs, sameWords } from "./draft.ts";
import {
  changeIssue,
  type FoundIssue,
  fingerprintOf,
  type IssueWords,
  lockIssue,
  makeIssue,
} from "./issues.ts";
import type { ReadIssue } from "./read-issue-text.ts";

export type Draft = Selectable<Database["drafts"]>;

/** In UTF-16 code units: an issue, and room for what is cut from it. */
const draftBodyMaxLength = 1_000_000;

const empty: DraftWords = { title: "", preheader: "", body: "" };

export async function createDraft(
  db: Db,
  { now, ...values }: { now: Date } & Partial<Omit<Draft, "id" | "created_at" | "saved_at">>,
): Promise<number> {
  const at = now.toISOString();
  const { id } = await db
    .insertInto("drafts")
    .values({ ...empty, version: 1, ...values, created_at: at, saved_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Drafts with unpublished words, the last saved first. `isNew`: only those that correct no issue. */
export async function listDrafts(
  db: Db,
  { limit = 10_000, isNew = false }: { limit?: number; isNew?: boolean } = {},
) {
  return await db
    .selectFrom("drafts")
    .select(["id", "issue_id", "title", "saved_at"])
    .select(
      sql<number | null>`case when issue_id in (select id from final_newsletters) then
        (select count(*) from final_newsletters where id <= drafts.issue_id) end`.as("issueNumber"),
    )
    .where("binned_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("issue_id", "is", null),
        eb("base_version", "is", null),
        eb("base_version", "<>", eb.ref("version")),
      ]),
    )
    .$if(isNew, (query) => query.where("issue_id", "is", null))
    .orderBy("saved_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findDraft(db: Db, id: number): Promise<Draft | undefined> {
  return await db.selectFrom("drafts").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Reads and locks a draft. SQLite is locked already. */
export async function lockDraft(trx: Transaction<Database>, id: number) {
  const query = trx.selectFrom("drafts").selectAll().where("id", "=", id);
  return await (isPostgres(trx) ? query.forUpdate() : query).executeTakeFirst();
}

/** Call it before locking the issue, as a publication does, to avoid deadlocks. */
export async function lockDraftsOf(trx: Transaction<Database>, issueId: number): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select from drafts where issue_id = ${issueId} order by id for update`.execute(trx);
}

function isSettled({ version, base_version }: Pick<Draft, "version" | "base_version">): boolean {
  return version === base_version;
}

function wordsOfIssue(issue: FoundIssue) {
  return {
    title: issue.title,
    preheader: issue.preheader ?? "",
    body: issue.html.replaceAll("\r\n", "\n"),
    base_fingerprint: fingerprintOf(issue),
  };
}

/** The draft that corrects an issue: its unpublished words, or else the issue's present ones. */
export async function correctionOf(
  db: Db,
  { issueId, now }: { issueId: number; now: Date },
): Promise<number | null> {
  return await db.transaction().execute(async (trx) => {
    await lockDraftsOf(trx, issueId);
    const issue = await lockIssue(trx, issueId);
    if (!issue) return null;
    const draft = await trx
      .selectFrom("drafts")
      .selectAll()
      .where("issue_id", "=", issueId)
      .where("binned_at", "is", null)
      .orderBy("id", "desc")
      .executeTakeFirst();
    const words = wordsOfIssue(issue);
    if (!draft)
      return await createDraft(trx, { now, issue_id: issueId, base_version: 1, ...words });
    if (isSettled(draft) && draft.base_fingerprint !== words.base_fingerprint) {
      await takeIssue(trx, { draft, issue, now });
    }
    return draft.id;
  });
}

async function takeIssue(
  trx: Db,
  { draft: { id, version }, issue, now }: { draft: Draft; issue: FoundIssue; now: Date },
): Promise<void> {
  const settled = { version: version + 1, base_version: version + 1 };
  await trx
    .updateTable("drafts")
    .set({ ...wordsOfIssue(issue), ...settled, saved_at: now.toISOString() })
    .where("id", "=", id)
    .execute();
}

export type NotSaved = {
  ok: false;
  reason: "too_long" | "unknown_draft" | "changed_elsewhere" | "planned_soon";
  problem: string;
};

const notSaved = {
  too_long: "The text is longer than an issue may be. It is not saved.",
  unknown_draft: "This draft was deleted in another window.",
  changed_elsewhere: "Another window has changed this draft since. The text here is not saved.",
  planned_soon: "It is published within minutes, as it was last saved.",
} satisfies Record<NotSaved["reason"], string>;

function refuse(reason: NotSaved["reason"]): NotSaved {
  return { ok: false, reason, problem: notSaved[reason] };
}

/** Refuses where another window has saved since, or in the last minutes before a plan, unless somebody `asked`. */
export async function saveDraft(
  db: Db,
  {
    id,
    version,
    now,
    asked = true,
    ...words
  }: { id: number; version: number; now: Date; asked?: boolean } & DraftWords,
): Promise<{ ok: true; draft: Draft } | NotSaved> {
  if (words.body.length > draftBodyMaxLength) return refuse("too_long");
  return await db.transaction().execute(async (trx) => {
    const draft = await lockDraft(trx, id);
    if (!draft || draft.binned_at !== null) return refuse("unknown_draft");
    if (sameWords(draft, words)) return { ok: true, draft };
    if (draft.version !== version) return refuse("changed_elsewhere");
    if (!asked && (await isPlannedSoon(trx, id, now))) return refuse("planned_soon");
    const saved = await trx
      .updateTable("drafts")
      .set({ ...words, version: version + 1, saved_at: now.toISOString() })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ok: true, draft: saved };
  });
}

async function isPlannedSoon(trx: Db, draftId: number, now: Date): Promise<boolean> {
  const soon = new Date(now.getTime() + quietBeforePlanMs).toISOString();
  const plan = await trx
    .selectFrom("plans")
    .select("id")
    .where("draft_id", "=", draftId)
    .where("problem", "is", null)
    .where("due_at", "<=", soon)
    .where(({ not }) => not(isFrozen))
    .executeTakeFirst();
  return plan !== undefined;
}

/** Reads a draft as an issue. A correction keeps its issue's day. */
export async function readDraft(draft: Draft, issue: FoundIssue | null | undefined, now: Date) {
  // Its parsers take longer to load than most commands run.
  const { readIssueText } = await import("./read-issue-text.ts");
  const read = readIssueText({
    text: draft.body,
    format: "html",
    title: draft.title,
    now,
  });
  if (!read.ok) return read;
  const preheader = draft.preheader.trim() || read.issue.words.preheader;
  const publishDate = issue?.publishDate ?? torontoDate(now);
  const words = { ...read.issue.words, preheader, publishDate };
  return { ok: true, issue: { ...read.issue, words } satisfies ReadIssue } as const;
}

export function isIssueChanged(draft: Draft, issue: FoundIssue, words: IssueWords | null): boolean {
  const present = fingerprintOf(issue);
  return present !== draft.base_fingerprint && (!words || present !== fingerprintOf(words));
}

/** Puts the words of the issue that a draft corrects in place of the draft's own. */
export async function takePublished(db: Db, { id, now }: { id: number; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const draft = await lockDraft(trx, id);
    const issue = draft?.issue_id ? await lockIssue(trx, draft.issue_id) : null;
    if (draft && issue) await takeIssue(trx, { draft, issue, now });
  });
}

export const draftIsGone = "The draft was deleted.";

/** Publishes a draft as saved in `version`, or corrects its issue. Idempotent. */
export async function publishDraft(
  trx: Transaction<Database>,
  { id, version, now }: { id: number; version: number; now: Date },
): Promise<{ ok: true; issueId: number } | { ok: false; problem: string }> {
  const draft = await lockDraft(trx, id);
  if (!draft || draft.binned_at !== null) return { ok: false, problem: draftIsGone };
  if (draft.version !== version) {
    const problem = "The draft was changed meanwhile. Look at it again: nothing was published.";
    return { ok: false, problem };
  }
  const issue = draft.issue_id === null ? null : await lockIssue(trx, draft.issue_id);
  if (issue && isSettled(draft)) return { ok: true, issueId: issue.id };
  const read = await readDraft(draft, issue, now);
  if (!read.ok) return { ok: false, problem: read.problems.join(" ") };
  const { words } = read.issue;
  if (issue && isIssueChanged(draft, issue, words)) {
    const problem = "The published issue was changed elsewhere meanwhile. Nothing was done.";
    return { ok: false, problem };
  }
  const issueId = issue?.id ?? (await makeIssue(trx, words, { now }));
  if (issue) await changeIssue(trx, { id: issueId, from: fingerprintOf(issue), words, now });
  await trx
    .updateTable("drafts")
    .set({
      issue_id: issueId,
      base_fingerprint: fingerprintOf(words),
      base_version: version,
    })
    .where("id", "=", id)
    .execute();
  return { ok: true, issueId };
}
