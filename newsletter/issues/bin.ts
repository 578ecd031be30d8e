import { sql } from "kysely";
import { removeUnshown } from "#db/pictures.ts";
import type { Db } from "#db/tables.ts";
import { cancelPlannedSends, type Refusal } from "../sends/sends.ts";
import { createDraft, lockDraftsOf } from "./drafts.ts";
import { deleteIssue, findIssue, lockIssue, makeIssue } from "./issues.ts";

type Binned = { kind: "draft" | "issue"; id: number; title: string; binnedAt: string };

export async function listBin(db: Db): Promise<Binned[]> {
  const { rows } = await sql<Binned>`
    select 'draft' as kind, id, title, binned_at as "binnedAt" from drafts where binned_at is not null
    union all select 'issue', id, title, binned_at from binned_issues
    order by "binnedAt" desc, kind, id desc`.execute(db);
  return rows;
}

export async function putDraftInBin(db: Db, { id, now }: { id: number; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const binned = { binned_at: now.toISOString() };
    await trx.updateTable("drafts").set(binned).where("id", "=", id).execute();
    await trx.deleteFrom("plans").where("draft_id", "=", id).execute();
    await removeUnshown(trx);
  });
}

/** Removes an issue for good or to the bin, and cancels a send of it that hasn't begun, the `cancelledSend`. */
export async function removeIssue(
  db: Db,
  { id, now, toBin = false }: { id: number; now: Date; toBin?: boolean },
): Promise<{ ok: true; cancelledSend: number | null } | Refusal> {
  return await db.transaction().execute(async (trx) => {
    await lockDraftsOf(trx, id);
    const issue = await lockIssue(trx, id);
    if (!issue) return { ok: false, problem: "It was removed by somebody else meanwhile." };
    const cancelled = await cancelPlannedSends(trx, { issueId: id, now });
    if (!cancelled.ok) return cancelled;
    if (toBin) {
      const { title, html, publishDate: publish_date, preheader } = issue;
      const binned = { id, title, html, publish_date, preheader, binned_at: now.toISOString() };
      await trx.insertInto("binned_issues").values(binned).execute();
    }
    await deleteIssue(trx, id, { toBin });
    return { ok: true, cancelledSend: cancelled.sendId };
  });
}

/** A restored issue's drafts correct it, so their plans are called off. */
export async function takeFromBin(
  db: Db,
  { kind, id, now }: { kind: string; id: number; now: Date },
): Promise<{ ok: true } | Refusal> {
  return await db.transaction().execute(async (trx) => {
    if (kind === "draft") {
      const { numUpdatedRows } = await trx
        .updateTable("drafts")
        .set({ binned_at: null })
        .where("id", "=", id)
        .where("binned_at", "is not", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? { ok: true } : notThere;
    }
    await lockDraftsOf(trx, id);
    const issue = await trx
      .deleteFrom("binned_issues")
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (!issue) return notThere;
    const drafts = trx.selectFrom("drafts").select("id").where("issue_id", "=", id);
    await trx.deleteFrom("plans").where("draft_id", "in", drafts).execute();
    const { title, html, publish_date: publishDate, preheader } = issue;
    await makeIssue(trx, { id, title, html, publishDate, preheader }, { now });
    return { ok: true };
  });
}

const notThere: Refusal = { ok: false, problem: "It is not in the bin any more." };

/** Begins a draft with the words of an issue. */
export async function copyIssue(
  db: Db,
  { id, now }: { id: number; now: Date },
): Promise<number | null> {
  const issue = await findIssue(db, id);
  if (!issue) return null;
  const { title, preheader, html: body } = issue;
  return await createDraft(db, { title, preheader: preheader ?? "", body, now });
}
