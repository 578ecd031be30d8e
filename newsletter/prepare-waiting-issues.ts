import { setTimeout as delay, setImmediate as nextRound } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { PreparedNow, PrepareNow, StoredIssue } from "#issue-body/prepared-bodies.ts";
import { preparedBodyKey } from "#issue-body/rules-version.ts";
import { isStoredSo, savePreparedIssue } from "./save-prepared-issue.ts";

/** Between two issues, for visitors: an import of thousands takes minutes, and nobody waits for it. */
const restMs = 25;

/**
 * Prepares the issues that are noted as waiting for it, such as imported ones, newest first: what it costs is what has
 * changed. One body is in memory at a time, and each has a transaction of its own. Returns how many it prepared;
 * `isStopped` ends it between two.
 */
export async function prepareWaitingIssues(
  db: Kysely<Database>,
  prepareNow: PrepareNow,
  { isStopped = () => false }: { isStopped?: () => boolean } = {},
): Promise<number> {
  let prepared = 0;
  let below = Number.MAX_SAFE_INTEGER;
  while (!isStopped()) {
    const issue = await nextWaiting(db, below);
    if (!issue) break;
    below = issue.id;
    await endWaiting(db, issue, await prepareNow(issue, { isKept: false }));
    prepared += 1;
    await delay(restMs);
  }
  await nextRound();
  return prepared;
}

async function nextWaiting(db: Kysely<Database>, below: number): Promise<StoredIssue | null> {
  const issue = await db
    .selectFrom("issues_to_prepare as waiting")
    .innerJoin("final_newsletters as issue", "issue.id", "waiting.issue_id")
    .select(["issue.id", "issue.title", "issue.content_markdown"])
    .where("waiting.issue_id", "<", below)
    .orderBy("waiting.issue_id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!issue) return null;
  const { id, title, content_markdown } = issue;
  // An existing table may hold NULLs.
  return { id, title: title ?? "", content_markdown: content_markdown ?? "" };
}

/**
 * Of one that somebody had prepared already, in the database or, before the issue was removed and came back, in memory;
 * one that could not be prepared whole goes on waiting.
 */
async function endWaiting(
  db: Kysely<Database>,
  issue: StoredIssue,
  { isWhole, html, plainText }: PreparedNow,
): Promise<void> {
  // Who has just prepared and stored it has struck it off in the same transaction, with its body compared.
  if (!(await isWaiting(db, issue.id))) return;
  const bodyKey = preparedBodyKey(issue.content_markdown);
  await db.transaction().execute(async (trx) => {
    if (!(await isStoredSo(trx, issue))) return;
    const stored = await trx
      .selectFrom("prepared_issues")
      .select("issue_id")
      .where("issue_id", "=", issue.id)
      .where("body_key", "=", bodyKey)
      .executeTakeFirst();
    if (stored) {
      await trx.deleteFrom("issues_to_prepare").where("issue_id", "=", issue.id).execute();
    } else if (isWhole) {
      await savePreparedIssue(trx, issue, bodyKey, { html, plainText });
    }
  });
}

async function isWaiting(db: Kysely<Database>, issueId: number): Promise<boolean> {
  const waiting = await db
    .selectFrom("issues_to_prepare")
    .select("issue_id")
    .where("issue_id", "=", issueId)
    .executeTakeFirst();
  return waiting !== undefined;
}
