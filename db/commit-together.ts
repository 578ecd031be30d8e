import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { forSomeRounds } from "./batcher.ts";
import { isPostgres } from "./is-postgres.ts";
import type { SharedWrite } from "./shared-write.ts";
import { isSqliteBusy } from "./sqlite-errors.ts";
import type { Database } from "./tables.ts";

/** Longest group, so that a flood of writes lets other requests in between. */
const groupMaxSize = 100;

type Trx = Transaction<Database>;
type Work<Result> = (trx: Trx) => Promise<Result>;
type Waiting = {
  write: SharedWrite<unknown, unknown>;
  item: unknown;
  settle: (outcome: Outcome) => void;
};
type Outcome<Result = unknown> = { ok: true; result: Result } | { ok: false; error: unknown };

/** Work that shares its commit with others and its statements with none. */
const byItself: SharedWrite<Work<unknown>, unknown> = {
  keyOf: () => null,
  writeAll: async (_, works) => works.map(() => null),
  writeOne: (trx, work) => work(trx),
};

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
  return (await commitInGroup(db, byItself, work)) as Result;
}

/** On SQLite, the same for a write that shares its statements too with those like it in its group. */
export async function commitInGroup<Item, Result>(
  db: Kysely<Database>,
  write: SharedWrite<Item, Result>,
  item: Item,
): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const entry = { write, item, settle: resolve } as Waiting;
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
    await forSomeRounds();
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
      const done = new Map<Waiting, Outcome>();
      for (const batch of batchesOf(group)) await runBatch(trx, batch, done);
      return done;
    });
    for (const entry of group) entry.settle(outcomes.get(entry) as Outcome);
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

/** Those of one write together, each key once in a batch: the second one with a key comes in a later batch. */
function batchesOf(group: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
  for (const ofWrite of Map.groupBy(group, ({ write }) => write).values()) {
    const seen = new Map<string, number>();
    const begun = batches.length;
    for (const entry of ofWrite) {
      const key = entry.write.keyOf(entry.item);
      const nth = key === null ? 0 : (seen.get(key) ?? 0);
      if (key !== null) seen.set(key, nth + 1);
      const batch = batches[begun + nth];
      if (batch) batch.push(entry);
      else batches.push([entry]);
    }
  }
  return batches;
}

/** Where they can't be written in one go, each is written by itself, so that one's failure is nobody else's. */
async function runBatch(trx: Trx, batch: readonly Waiting[], done: Map<Waiting, Outcome>) {
  const [first] = batch;
  if (!first) return;
  const { write } = first;
  const items = batch.map(({ item }) => item);
  const isShared = write !== byItself && batch.length > 1;
  const shared = isShared ? await undoable(trx, () => write.writeAll(trx, items)) : null;
  const results = shared?.ok ? shared.result : [];
  for (const [index, entry] of batch.entries()) {
    const result = results[index] ?? null;
    done.set(
      entry,
      result === null
        ? await undoable(trx, () => write.writeOne(trx, entry.item))
        : { ok: true, result },
    );
  }
}

/** Undoes what fails, and nothing before it. Throws only where the whole transaction is lost. */
async function undoable<Result>(trx: Trx, work: () => Promise<Result>): Promise<Outcome<Result>> {
  await trx.executeQuery(savepoint);
  try {
    const result = await work();
    await trx.executeQuery(release);
    return { ok: true, result };
  } catch (error) {
    // Where SQLite has given up the transaction itself, as with a full disk, this throws and the group ends.
    await trx.executeQuery(rollback);
    await trx.executeQuery(release);
    return { ok: false, error };
  }
}
