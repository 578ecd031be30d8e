import type { Picture } from "#db/pictures.ts";
import type { Db } from "#db/tables.ts";
import { cancelPlannedSends } from "../sends/sends.ts";
import { putIssueInBin } from "./bin.ts";
import { lockDraftsOf } from "./drafts.ts";
import {
  changeIssue,
  deleteIssue,
  findIssue,
  findSameTitle,
  type IssueWords,
  lockIssue,
  makeIssue,
} from "./issues.ts";

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

/**
 * Removes an issue for good, or to the bin, and cancels a send of it that hasn't begun, the `cancelledSend`.
 * `send_under_way`: the send is mailing the issue, or is paused on its way.
 */
export async function removeIssue(
  db: Db,
  { id, now, toBin = false }: { id: number; now: Date; toBin?: boolean },
) {
  return await db.transaction().execute(async (trx) => {
    await lockDraftsOf(trx, id);
    const issue = await lockIssue(trx, id);
    if (!issue) return { ok: false, reason: "unknown_issue" } as const;
    const cancelled = await cancelPlannedSends(trx, { issueId: id, now });
    if (!cancelled.ok) return cancelled;
    if (toBin) await putIssueInBin(trx, { issue, now });
    await deleteIssue(trx, id, { toBin });
    return { ok: true, cancelledSend: cancelled.sendId } as const;
  });
}
