import type { Kysely } from "kysely";
import { commitTogether } from "../../database/commit-together.ts";
import { isPostgres } from "../../database/is-postgres.ts";
import type { Database } from "../../database/tables.ts";
import { createGathering } from "../../gathering.ts";
import type { HandedOver } from "./hand-over.ts";
import { rowTransitions } from "./row-states.ts";

/** A thousand would be more than is ever in hand. */
const statementMaxRows = 1_000;

/**
 * Writes down which mails the server has taken: those that it takes while the last ones are being written, in one
 * statement. Resolves once it's durable. A row that another has taken over since is left alone.
 */
export function createAcceptances(db: Kysely<Database>, clock: () => Date) {
  return createGathering(
    async (rows: readonly HandedOver[]) => {
      await acceptRows(db, rows, clock());
      return rows.map(() => undefined);
    },
    { maxItems: statementMaxRows },
  );
}

async function acceptRows(
  db: Kysely<Database>,
  rows: readonly HandedOver[],
  now: Date,
): Promise<void> {
  const { from, to } = rowTransitions.accept;
  const hands = Map.groupBy(rows, ({ claimedBy }) => claimedBy);
  const writeHand = async (trx: Kysely<Database>, claimedBy: string, hand: HandedOver[]) => {
    await trx
      .updateTable("send_rows")
      .set({ state: to, claimed_by: null, answer: null, settled_at: now.toISOString() })
      .where(
        "id",
        "in",
        hand.map(({ id }) => id),
      )
      .where("claimed_by", "=", claimedBy)
      .where("state", "in", from)
      .execute();
  };
  if (isPostgres(db)) {
    // Each statement is its own transaction, which is two round trips less.
    await Promise.all([...hands].map(([claimedBy, hand]) => writeHand(db, claimedBy, hand)));
    return;
  }
  await commitTogether(db, async (trx) => {
    for (const [claimedBy, hand] of hands) await writeHand(trx, claimedBy, hand);
  });
}
