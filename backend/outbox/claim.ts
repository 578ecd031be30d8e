import type { Kysely, Selectable } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database, OutboxTable } from "../database/tables.ts";
import type { OutboxKind } from "./payloads.ts";

export type ClaimedRow = Selectable<OutboxTable>;

export type Claim = {
  kind: OutboxKind;
  /** At most this many rows. */
  limit: number;
  /** Unique to this claim; what settles the rows later is fenced by it. */
  claimant: string;
  now: Date;
  leaseMs: number;
};

/**
 * Takes deliveries of one kind that are due and that nobody holds, oldest first, for the length of the lease. The
 * attempt is counted here, so that a delivery that kills the process ends too.
 */
export async function claimDeliveries(
  db: Kysely<Database>,
  { kind, limit, claimant, now, leaseMs }: Claim,
): Promise<ClaimedRow[]> {
  const onPostgres = isPostgres(db);
  const nowText = now.toISOString();
  // Materialized: PostgreSQL could otherwise run the inner select again for each row and take more than the limit.
  return await db
    .with(
      (cte) => cte("due").materialized(),
      (qb) =>
        qb
          .selectFrom("outbox")
          .select("id")
          .where("delivered_at", "is", null)
          .where("failed_at", "is", null)
          .where("kind", "=", kind)
          .where("next_attempt_at", "<=", nowText)
          .where((eb) =>
            eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<", nowText)]),
          )
          .orderBy("next_attempt_at")
          .orderBy("id")
          .limit(limit)
          .$if(onPostgres, (select) => select.forUpdate().skipLocked()),
    )
    .updateTable("outbox")
    .set((eb) => ({
      claimed_by: claimant,
      claimed_until: new Date(now.getTime() + leaseMs).toISOString(),
      attempts: eb("attempts", "+", 1),
    }))
    .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
    .returningAll()
    .execute();
}
