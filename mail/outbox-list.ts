import { type SqlBool, sql } from "kysely";
import { heldUntil } from "#db/marks.ts";
import type { Db } from "#db/tables.ts";
import { outboxKinds } from "./outbox-jobs.ts";

const isInState = {
  waiting: sql<SqlBool>`delivered_at is null and failed_at is null`,
  failed: sql<SqlBool>`delivered_at is null and failed_at is not null`,
  delivered: sql<SqlBool>`delivered_at is not null`,
};

const waitsSince = sql<string>`case when attempts = 0 then next_attempt_at else created_at end`;

/** Jobs that have waited for ten minutes, with a receiver's words; null if there are none. */
export async function findStuckJobs(db: Db, now: Date) {
  const before = new Date(now.getTime() - 10 * 60_000).toISOString();
  const { rows } = await sql<{ count: number; since: string; words: string | null }>`
    select count(*) as count, min(${waitsSince}) as since, (
        select last_error from outbox where ${isInState.waiting} and last_error is not null
        order by id desc limit 1) as words
    from outbox where ${isInState.waiting} and ${waitsSince} < ${before}
      and created_at > ${heldUntil}`.execute(db);
  const [stuck] = rows;
  return stuck && stuck.count > 0 ? stuck : null;
}

export async function countOutboxByKind(db: Db) {
  const { rows } = await sql<{ kind: string; state: string; count: number; oldest: string }>`
    select kind, 'waiting' as state, count(*) as count,
      min(${waitsSince}) as oldest
    from outbox where ${isInState.waiting} group by kind
    union all
    select kind, 'failed', count(*), null from outbox where ${isInState.failed} group by kind`.execute(
    db,
  );
  return outboxKinds.map((kind) => {
    const [waits, failed] = ["waiting", "failed"].map((state) =>
      rows.find((row) => row.kind === kind && row.state === state),
    );
    const oldestAt = waits?.oldest ?? null;
    return { kind, waiting: waits?.count ?? 0, failed: failed?.count ?? 0, oldestAt };
  });
}

export async function countOutbox(db: Db) {
  const kinds = await countOutboxByKind(db);
  const delivered = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(isInState.delivered)
    .executeTakeFirstOrThrow();
  const failure = await db
    .selectFrom("outbox")
    .select("last_error as words")
    .where(isInState.failed)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const [oldestWaitingAt = null] = kinds.flatMap(({ oldestAt }) => oldestAt ?? []).toSorted();
  return {
    waiting: kinds.reduce((sum, { waiting }) => sum + waiting, 0),
    failed: kinds.reduce((sum, { failed }) => sum + failed, 0),
    delivered: delivered.count,
    oldestWaitingAt,
    lastFailure: failure?.words ?? null,
  };
}

export async function retryFailedDeliveries(db: Db, { now }: { now: Date }) {
  const result = await db
    .updateTable("outbox")
    .set({ failed_at: null, attempts: 0, refusals: 0, next_attempt_at: now.toISOString() })
    .where(isInState.failed)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
