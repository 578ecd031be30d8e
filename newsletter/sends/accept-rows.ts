import type { Kysely } from "kysely";
import { commitTogether } from "#db/commit-together.ts";
import { isPostgres } from "#db/is-postgres.ts";
import { createPatientBatcher } from "#db/patient-batcher.ts";
import type { Database } from "#db/tables.ts";
import type { HandedOver } from "./hand-over.ts";
import { rowTransitions } from "./row-states.ts";
import type { Semaphore } from "./semaphore.ts";
import type { SendSpeed } from "./send-speed.ts";

/** A thousand would be more than is ever in hand. */
const statementMaxRows = 1_000;

/** The longest that an acceptance waits to be written down together with others, in milliseconds. */
const longestWaitMs = 50;
/** And the part of the time that each connection has for a mail at the present rate. */
const waitingPart = 1 / 4;

type AcceptBatcherOptions = {
  clock: () => Date;
  /** What each mail under way takes a place of until it's written down, so that all of them waiting is all there is. */
  semaphore: Pick<Semaphore, "inUse">;
  connections: number;
  speed: Pick<SendSpeed, "rate">;
};

/**
 * Writes down which mails the server has taken, several in one statement, since each commit on SQLite holds up every
 * visitor for a write to the disk: those of all connections where they come soon after one another, as far as the rate
 * leaves time. Resolves once it's durable. A row that another has taken over since is left alone.
 */
export function createAcceptBatcher(
  db: Kysely<Database>,
  { clock, semaphore, connections, speed }: AcceptBatcherOptions,
): (row: HandedOver) => Promise<void> {
  return createPatientBatcher<HandedOver, void>(
    async (rows) => {
      await acceptRows(db, rows, clock());
      return rows.map(() => undefined);
    },
    {
      maxItems: statementMaxRows,
      waitMs: () => Math.min(longestWaitMs, (1000 * waitingPart * connections) / speed.rate),
      isEnough: (waiting) => waiting >= semaphore.inUse(),
    },
  );
}

async function acceptRows(
  db: Kysely<Database>,
  rows: readonly HandedOver[],
  now: Date,
): Promise<void> {
  const { from, to } = rowTransitions.accept;
  const claims = Map.groupBy(rows, ({ claimedBy }) => claimedBy);
  const writeClaim = async (trx: Kysely<Database>, claimedBy: string, claimed: HandedOver[]) => {
    await trx
      .updateTable("send_rows")
      .set({ state: to, claimed_by: null, answer: null, settled_at: now.toISOString() })
      .where(
        "id",
        "in",
        claimed.map(({ id }) => id),
      )
      .where("claimed_by", "=", claimedBy)
      .where("state", "in", from)
      .execute();
  };
  if (isPostgres(db)) {
    // Each statement is its own transaction, which is two round trips less.
    await Promise.all(
      [...claims].map(([claimedBy, claimed]) => writeClaim(db, claimedBy, claimed)),
    );
    return;
  }
  await commitTogether(db, async (trx) => {
    for (const [claimedBy, claimed] of claims) await writeClaim(trx, claimedBy, claimed);
  });
}
