import { setTimeout as delay, setImmediate as nextRound } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Database } from "#backend/database/tables.ts";
import type { PreparedBodyOf } from "#issue-body/prepared-bodies.ts";
import { isByCurrentRules } from "#issue-body/rules-version.ts";

/** Issues that are looked at in one statement, for visitors: SQLite runs in this thread. */
const batchSize = 500;

/** Between two issues, for visitors: an import of thousands takes minutes, and nobody waits for it. */
const restMs = 25;

/**
 * Prepares the issues that have not been prepared yet, such as imported ones, or by rules that are no longer those of this
 * release, newest first, and forgets those that are gone. One body is in memory at a time, and each has a transaction of
 * its own. Returns how many it prepared; `isStopped` ends it between two.
 */
export async function prepareWaitingIssues(
  db: Kysely<Database>,
  preparedBodyOf: PreparedBodyOf,
  {
    isStopped = () => false,
    onProgress = () => {},
  }: { isStopped?: () => boolean; onProgress?: (prepared: number) => void } = {},
): Promise<number> {
  let prepared = 0;
  let below: number | null = Number.MAX_SAFE_INTEGER;
  while (below !== null && !isStopped()) {
    const { waiting, gone, lowest } = await lookBelow(db, below);
    below = lowest;
    await forgetWithoutIssue(db, gone);
    for (const id of waiting) {
      if (isStopped()) break;
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
    await nextRound();
  }
  return prepared;
}

/** What is to be done for the next issues below an id; `lowest` is where to go on, null at the end. */
async function lookBelow(
  db: Kysely<Database>,
  below: number,
): Promise<{ waiting: number[]; gone: number[]; lowest: number | null }> {
  const issues = await db
    .selectFrom("final_newsletters")
    .select("id")
    .where("id", "<", below)
    .orderBy("id", "desc")
    .limit(batchSize)
    .execute();
  const lowest = issues.length < batchSize ? null : (issues.at(-1)?.id ?? null);
  const prepared = await db
    .selectFrom("prepared_issues")
    .select(["issue_id", "body_key"])
    .where("issue_id", "<", below)
    .$if(lowest !== null, (query) => query.where("issue_id", ">=", lowest ?? 0))
    .execute();
  const current = new Set(
    prepared.filter(({ body_key }) => isByCurrentRules(body_key)).map(({ issue_id }) => issue_id),
  );
  const there = new Set(issues.map(({ id }) => id));
  return {
    waiting: issues.map(({ id }) => id).filter((id) => !current.has(id)),
    gone: prepared.map(({ issue_id }) => issue_id).filter((id) => !there.has(id)),
    lowest,
  };
}

async function forgetWithoutIssue(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += batchSize) {
    await db
      .deleteFrom("prepared_issues")
      .where("issue_id", "in", ids.slice(start, start + batchSize))
      // One that has been published since stays.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("final_newsletters")
              .select("id")
              .whereRef("final_newsletters.id", "=", "prepared_issues.issue_id"),
          ),
        ),
      )
      .execute();
    await nextRound();
  }
}
