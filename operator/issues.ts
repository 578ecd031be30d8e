import type { Db } from "#db/tables.ts";
import { lockDraftsOf } from "#newsletter/drafts.ts";
import {
  changeIssue,
  deleteIssue,
  findIssue,
  findSameTitle,
  type IssueWords,
  lockIssue,
  makeIssue,
} from "#newsletter/issues.ts";
import type { Picture } from "#newsletter/pictures.ts";
import { cancelPlannedSends } from "#newsletter/sends/steer-send.ts";

type Deed = { words: IssueWords; pictures: readonly Picture[]; now: Date };

/**
 * Publishes an issue as the newest. `number` is its place on the site; `sameTitle` is the newest other issue with that
 * title, most likely the same text published twice. Throws a RangeError for an invalid date.
 */
export async function publishIssue(db: Db, { words, pictures, now }: Deed) {
  return await db.transaction().execute(async (trx) => {
    const id = await makeIssue(trx, words, { pictures, now });
    const { number } = (await findIssue(trx, id)) ?? { number: id };
    return { id, number, sameTitle: await findSameTitle(trx, { id, title: words.title }) };
  });
}

/**
 * Puts other words in the place of an issue that still has the fingerprint `from`. Without a preheader, it keeps its own.
 * Throws a RangeError for an invalid date.
 */
export async function correctIssue(
  db: Db,
  change: Omit<Deed, "words"> & { id: number; from: string; words: Partial<IssueWords> },
): Promise<{ ok: true } | { ok: false; reason: "changed_meanwhile" }> {
  const isChanged = await db.transaction().execute((trx) => changeIssue(trx, change));
  return isChanged ? { ok: true } : { ok: false, reason: "changed_meanwhile" };
}

export type RemoveIssueResult =
  /** `cancelledSend` is the planned send that won't begin now. */
  | { ok: true; cancelledSend: number | null }
  | { ok: false; reason: "unknown_issue" }
  /** The send is mailing the issue, or is paused on its way. */
  | { ok: false; reason: "send_under_way"; sendId: number };

/** Removes an issue for good, and cancels a send of it that hasn't begun. */
export async function removeIssue(
  db: Db,
  { id, now }: { id: number; now: Date },
): Promise<RemoveIssueResult> {
  return await db.transaction().execute(async (trx): Promise<RemoveIssueResult> => {
    await lockDraftsOf(trx, id);
    if (!(await lockIssue(trx, id))) return { ok: false, reason: "unknown_issue" };
    const cancelled = await cancelPlannedSends(trx, { issueId: id, now });
    if (!cancelled.ok) return cancelled;
    await deleteIssue(trx, id);
    return { ok: true, cancelledSend: cancelled.sendId };
  });
}
