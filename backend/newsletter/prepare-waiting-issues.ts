import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Database } from "#backend/database/tables.ts";
import type { PreparedBodyOf } from "#issue-body/prepared-bodies.ts";
import { forgetPreparedIssues } from "./save-prepared-issue.ts";

/** Issues that are looked for at a time. */
const batchSize = 20;

/** Between two issues, for visitors: an import of thousands takes minutes, and nobody waits for it. */
const restMs = 25;

/**
 * Prepares the issues that have not been prepared yet, newest first, such as imported ones, and forgets those that are
 * gone. One body is in memory at a time, and each has a transaction of its own. Returns how many it prepared; `isStopped` ends it between two.
 */
export async function prepareWaitingIssues(
  db: Kysely<Database>,
  preparedBodyOf: PreparedBodyOf,
  {
    isStopped = () => false,
    onProgress = () => {},
  }: { isStopped?: () => boolean; onProgress?: (prepared: number) => void } = {},
): Promise<number> {
  await forgetRemoved(db);
  let prepared = 0;
  let below = Number.MAX_SAFE_INTEGER;
  while (!isStopped()) {
    const waiting = await waitingBelow(db, below);
    if (waiting.length === 0) break;
    for (const id of waiting) {
      if (isStopped()) break;
      below = id;
      const issue = await db
        .selectFrom("final_newsletters")
        .select(["id", "title", "content_markdown"])
        .where("id", "=", id)
        .executeTakeFirst();
      if (!issue) continue;
      const { title, content_markdown } = issue;
      await preparedBodyOf({
        id,
        // An existing table may hold NULLs.
        title: title ?? "",
        content_markdown: content_markdown ?? "",
      });
      prepared += 1;
      onProgress(prepared);
      await delay(restMs);
    }
  }
  return prepared;
}

async function waitingBelow(db: Kysely<Database>, below: number): Promise<number[]> {
  const rows = await db
    .selectFrom("final_newsletters as issue")
    .select("issue.id")
    .where("issue.id", "<", below)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("prepared_issues as prepared")
            .select(sql`1`.as("one"))
            .whereRef("prepared.issue_id", "=", "issue.id"),
        ),
      ),
    )
    .orderBy("issue.id", "desc")
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

async function forgetRemoved(db: Kysely<Database>): Promise<void> {
  const gone = await db
    .selectFrom("prepared_issues as prepared")
    .select("prepared.issue_id as id")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("final_newsletters as issue")
            .select(sql`1`.as("one"))
            .whereRef("issue.id", "=", "prepared.issue_id"),
        ),
      ),
    )
    .limit(1_000)
    .execute();
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0) await db.transaction().execute((trx) => forgetPreparedIssues(trx, ids));
}
