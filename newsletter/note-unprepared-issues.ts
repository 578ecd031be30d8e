import { setImmediate as nextRound } from "node:timers/promises";
import type { Kysely } from "kysely";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import { isByCurrentRules } from "#issue-body/rules-version.ts";

/** Issues that are looked at in one statement, for visitors: SQLite runs in this thread. */
const batchSize = 500;

/**
 * Notes every issue that was prepared by rules that are no longer those of this release, or never, so that it is prepared;
 * what changes afterwards the database notes by itself. It goes through all of them: once at each start.
 */
export async function noteUnpreparedIssues(
  db: Kysely<Database>,
  { isStopped = () => false }: { isStopped?: () => boolean } = {},
): Promise<void> {
  let below = Number.MAX_SAFE_INTEGER;
  while (!isStopped()) {
    const issues = await db
      .selectFrom("final_newsletters as issue")
      .leftJoin("prepared_issues as prepared", "prepared.issue_id", "issue.id")
      .select(["issue.id", "prepared.body_key as bodyKey"])
      .where("issue.id", "<", below)
      .orderBy("issue.id", "desc")
      .limit(batchSize)
      .execute();
    const unprepared = issues.filter(({ bodyKey }) => !bodyKey || !isByCurrentRules(bodyKey));
    if (unprepared.length > 0) {
      await noteThose(
        db,
        unprepared.map(({ id }) => id),
      );
    }
    await nextRound();
    const lowest = issues.at(-1)?.id;
    if (issues.length < batchSize || lowest === undefined) return;
    below = lowest;
  }
}

/** None that is removed meanwhile: its removal takes its note away, and would be too early for one that comes after it. */
async function noteThose(db: Kysely<Database>, ids: number[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const stored = await trx
      .selectFrom("final_newsletters")
      .select("id as issue_id")
      .where("id", "in", ids)
      .$if(isPostgres(trx), (select) => select.forKeyShare())
      .execute();
    if (stored.length === 0) return;
    await trx
      .insertInto("issues_to_prepare")
      .values(stored)
      .onConflict((conflict) => conflict.column("issue_id").doNothing())
      .execute();
  });
}
