import { setImmediate as nextRound } from "node:timers/promises";
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { isPostgres } from "./is-postgres.ts";
import { isSqliteBusy } from "./sqlite-busy.ts";
import type { Database } from "./tables.ts";

/** Longest group, so that a flood of writes lets other requests in between. */
const groupMaxSize = 100;

/**
 * Rounds of the event loop for which a group gathers. Each reads what has arrived and accepts one new connection, so
 * that with a single round a burst of visitors would wait for one commit each to be let in.
 */
const gatheringRounds = 4;

type Work<Result> = (trx: Transaction<Database>) => Promise<Result>;
type Waiting = { work: Work<unknown>; settle: (outcome: Outcome) => void };
type Outcome = { ok: true; result: unknown } | { ok: false; error: unknown };

/** Per database: the writes that wait for the next group. A group under way has been taken out. */
const waitingWrites = new WeakMap<Kysely<Database>, Waiting[]>();

const savepoint = CompiledQuery.raw("savepoint one_write");
const release = CompiledQuery.raw("release one_write");
const rollback = CompiledQuery.raw("rollback to one_write");

/**
 * Runs a write in a transaction and resolves once it is durable; its own failure undoes it and nothing else.
 *
 * On SQLite, where every commit waits for the disk, the writes that are asked for while it waits are committed together
 * by the next one, so that many visitors at once pay for one wait. On PostgreSQL, which does the same by itself, each
 * has its own transaction. The work may do nothing but query the transaction it is given.
 */
export async function commitTogether<Result>(
  db: Kysely<Database>,
  work: Work<Result>,
): Promise<Result> {
  if (isPostgres(db)) return await db.transaction().execute(work);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const entry: Waiting = { work, settle: resolve };
  const waiting = waitingWrites.get(db);
  if (waiting) {
    waiting.push(entry);
  } else {
    const begun = [entry];
    waitingWrites.set(db, begun);
    void commitGroups(db, begun);
  }
  const outcome = await promise;
  if (!outcome.ok) throw outcome.error;
  return outcome.result as Result;
}

/** Until nothing waits. */
async function commitGroups(db: Kysely<Database>, waiting: Waiting[]): Promise<void> {
  while (waiting.length > 0) {
    for (let round = 0; round < gatheringRounds; round += 1) await nextRound();
    const error = await commitGroup(db, waiting.splice(0, groupMaxSize));
    // Those who came while the lock was waited for in vain would each wait for it anew, one group after the other.
    if (isSqliteBusy(error)) refuse(waiting.splice(0), error);
  }
  waitingWrites.delete(db);
}

/** Answers why nothing of the group was kept; undefined where it was. */
async function commitGroup(db: Kysely<Database>, group: Waiting[]): Promise<unknown> {
  try {
    const outcomes = await db.transaction().execute(async (trx) => {
      const done: Outcome[] = [];
      for (const { work } of group) done.push(await runOne(trx, work));
      return done;
    });
    for (const [index, { settle }] of group.entries()) settle(outcomes[index] as Outcome);
    return undefined;
  } catch (error) {
    // Not begun or not committed: nothing of the group was kept.
    refuse(group, error);
    return error;
  }
}

function refuse(group: Waiting[], error: unknown): void {
  for (const { settle } of group) settle({ ok: false, error });
}

/** Throws only where the whole transaction is lost. */
async function runOne(trx: Transaction<Database>, work: Work<unknown>): Promise<Outcome> {
  await trx.executeQuery(savepoint);
  try {
    const result = await work(trx);
    await trx.executeQuery(release);
    return { ok: true, result };
  } catch (error) {
    // Where SQLite has given up the transaction itself, as with a full disk, this throws and the group ends.
    await trx.executeQuery(rollback);
    await trx.executeQuery(release);
    return { ok: false, error };
  }
}
