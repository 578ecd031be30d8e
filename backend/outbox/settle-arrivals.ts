import type { Kysely } from "kysely";
import { createBatcher } from "../batcher.ts";
import { commitTogether } from "../database/commit-together.ts";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database } from "../database/tables.ts";
import type { ClaimedRow } from "./claim.ts";
import { markDelivered } from "./settle.ts";

/** What has arrived is written down after so long at the latest, however few there are. */
const collectMaxMs = 50;

type ArrivalsOptions = {
  clock: () => Date;
  /** Of what has arrived, so many may wait to be written down. */
  maxUnsettled: number;
  /** Whether anything is under way that may arrive in a moment. */
  isDelivering: () => boolean;
};

/**
 * Writes down what has arrived, many in one commit: each waits for others that are under way, until half of what may
 * wait does. Every commit on SQLite stands in all visitors' way until the disk has it, and on PostgreSQL it is a round trip.
 * Answers whether the delivery was still ours.
 */
export function createArrivals(
  db: Kysely<Database>,
  { clock, maxUnsettled, isDelivering }: ArrivalsOptions,
): (row: ClaimedRow) => Promise<boolean> {
  let waiting = 0;
  let goNow = () => {};
  const isEnough = () => waiting >= maxUnsettled / 2 || !isDelivering();

  async function collect() {
    if (isEnough()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    goNow = resolve;
    const timer = setTimeout(resolve, collectMaxMs);
    await promise;
    clearTimeout(timer);
  }

  const write = createBatcher(
    async (rows: readonly ClaimedRow[]) => {
      const ours = isPostgres(db)
        ? await markDelivered(db, rows, clock())
        : await commitTogether(db, (trx) => markDelivered(trx, rows, clock()));
      return rows.map(({ id }) => ours.has(id));
    },
    { maxItems: maxUnsettled, collect },
  );

  return async function settle(row) {
    waiting += 1;
    if (isEnough()) goNow();
    try {
      return await write(row);
    } finally {
      waiting -= 1;
    }
  };
}
