import type { Kysely } from "kysely";
import { commitTogether } from "#db/commit-together.ts";
import { isPostgres } from "#db/is-postgres.ts";
import { createPatientBatcher } from "#db/patient-batcher.ts";
import type { Database } from "#db/tables.ts";
import type { ClaimedRow } from "./claim.ts";
import { markDelivered } from "./settle.ts";

/** What has arrived is written down after so long at the latest, however few there are. */
const collectMaxMs = 50;

type DeliveredBatcherOptions = {
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
export function createDeliveredBatcher(
  db: Kysely<Database>,
  { clock, maxUnsettled, isDelivering }: DeliveredBatcherOptions,
): (row: ClaimedRow) => Promise<boolean> {
  return createPatientBatcher(
    async (rows: readonly ClaimedRow[]) => {
      const ours = isPostgres(db)
        ? await markDelivered(db, rows, clock())
        : await commitTogether(db, (trx) => markDelivered(trx, rows, clock()));
      return rows.map(({ id }) => ours.has(id));
    },
    {
      maxItems: maxUnsettled,
      waitMs: () => collectMaxMs,
      isEnough: (waiting) => waiting >= maxUnsettled / 2 || !isDelivering(),
    },
  );
}
