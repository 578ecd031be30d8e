import type { Kysely, Transaction } from "kysely";
import { createBatcher } from "./batcher.ts";
import { commitInGroup } from "./commit-together.ts";
import { isPostgres } from "./is-postgres.ts";
import { againWithoutNames, withNames } from "./named-statements.ts";
import type { SharedWrite } from "./shared-write.ts";
import type { Database } from "./tables.ts";

/**
 * Of a burst, the next group is built and read while the one before is at the database: one of all would be done in
 * turns.
 */
const groupMaxItems = 32;
/** While one waits for its commit, another runs; more would only make each smaller. */
const groupsAtOnce = 3;

/**
 * What of a failure is one write's own: bad data, a broken rule, a deadlock, a trigger's refusal (classes of SQLSTATE).
 * Anything else, such as a database that is away, would be met again by each.
 */
const ownFailure = /^(?:22|23|40|P0)[0-9A-Z]{3}$/;

type Trx = Transaction<Database>;

/** Per database and write: how an item joins the next group. Each holds what its own write takes and answers. */
const groups = new WeakMap<Kysely<Database>, Map<object, unknown>>();

/**
 * Writes an item and resolves once it is durable. Those that are asked for at the same time share the statements of one
 * transaction; where that fails for one of them, each is written by itself. On PostgreSQL each statement is a round trip
 * as well, and several transactions are under way at once.
 */
export async function commitShared<Item, Result>(
  db: Kysely<Database>,
  write: SharedWrite<Item, Result>,
  item: Item,
): Promise<Result> {
  if (!isPostgres(db)) return await commitInGroup(db, write, item);
  const outcome = await groupOf(db, write)(item);
  if ("error" in outcome) throw outcome.error;
  return outcome.result;
}

function groupOf<Item, Result>(db: Kysely<Database>, write: SharedWrite<Item, Result>) {
  const ofDatabase = groups.get(db) ?? new Map<object, unknown>();
  groups.set(db, ofDatabase);
  const group = (ofDatabase.get(write) ?? createGroup(db, write)) as Group<Item, Result>;
  ofDatabase.set(write, group);
  return group;
}

type Group<Item, Result> = (item: Item) => Promise<Outcome<Result>>;
type Outcome<Result> = { result: Result } | { error: unknown };

function createGroup<Item, Result>(db: Kysely<Database>, write: SharedWrite<Item, Result>) {
  const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);

  async function writeAlone(item: Item): Promise<Outcome<Result>> {
    try {
      return { result: await inTransaction((trx) => write.writeOne(trx, item)) };
    } catch (error) {
      return { error };
    }
  }

  async function writeGroup(items: readonly Item[]): Promise<Outcome<Result>[]> {
    const together = () => inTransaction((trx) => write.writeAll(withNames(trx), items));
    const results = await againWithoutNames(together).catch((error) => {
      if (!ownFailure.test(String(error.code))) throw error;
      return items.map(() => null);
    });
    return await Promise.all(
      items.map((item, index) => {
        const result = results[index] ?? null;
        return result === null ? writeAlone(item) : { result };
      }),
    );
  }

  const { keyOf } = write;
  return createBatcher(writeGroup, { maxItems: groupMaxItems, atOnce: groupsAtOnce, keyOf });
}
