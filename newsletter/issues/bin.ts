import { sql, type Transaction } from "kysely";
import { removeUnshown } from "#db/pictures.ts";
import type { Database, Db } from "#db/tables.ts";
import { createDraft, lockDraftsOf } from "./drafts.ts";
import { type FoundIssue, findIssue, fingerprintOf, makeIssue } from "./issues.ts";

type Binned = { kind: "draft" | "issue"; id: number; title: string; binnedAt: string };

type Part = { limit: number; offset?: number };

export async function listBin(db: Db, { limit, offset = 0 }: Part): Promise<Binned[]> {
  const { rows } = await sql<Binned>`
    select 'draft' as kind, id, title, binned_at as "binnedAt" from drafts where binned_at is not null
    union all select 'issue', id, title, binned_at from binned_issues
    order by "binnedAt" desc, kind, id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function countBin(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from drafts where binned_at is not null)
      + (select count(*) from binned_issues) as count`.execute(db);
  return Number(rows[0]?.count);
}

export async function putDraftInBin(db: Db, { id, now }: { id: number; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const binned = { binned_at: now.toISOString() };
    await trx.updateTable("drafts").set(binned).where("id", "=", id).execute();
    await trx.deleteFrom("plans").where("draft_id", "=", id).execute();
    await removeUnshown(trx);
  });
}

export async function putIssueInBin(
  trx: Transaction<Database>,
  { issue, now }: { issue: FoundIssue; now: Date },
): Promise<void> {
  const { id, title, html, publishDate, preheader } = issue;
  await trx
    .insertInto("binned_issues")
    .values({ id, title, html, publish_date: publishDate, preheader, binned_at: now.toISOString() })
    .execute();
}

/**
 * Takes a draft or an issue out of the bin. A restored issue's drafts correct it, so their plans
 * are called off.
 */
export async function takeFromBin(
  db: Db,
  { kind, id, now }: { kind: string; id: number; now: Date },
): Promise<{ ok: true } | { ok: false; reason: "not_in_bin" }> {
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

const notThere = { ok: false, reason: "not_in_bin" } as const;

/** Begins a draft with the words of an issue. */
export async function copyIssue(
  db: Db,
  { id, now }: { id: number; now: Date },
): Promise<number | null> {
  const issue = await findIssue(db, id);
  if (!issue) return null;
  const draft = await db
    .selectFrom("drafts")
    .select(["title", "preheader", "format", "body"])
    .where("issue_id", "=", id)
    .where("base_fingerprint", "=", fingerprintOf(issue))
    .whereRef("base_version", "=", "version")
    .orderBy("id", "desc")
    .executeTakeFirst();
  if (draft) return await createDraft(db, { ...draft, now });
  const { title, preheader, html: body } = issue;
  return await createDraft(db, { title, preheader: preheader ?? "", format: "html", body, now });
}
