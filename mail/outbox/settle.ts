import type { ExpressionBuilder, Kysely, Updateable } from "kysely";
import type { Database, OutboxTable } from "#db/tables.ts";
import { type Backoff, backoffDelayMs } from "./backoff.ts";
import type { ClaimedRow } from "./claim.ts";
import { PermanentDeliveryError, RefusedDeliveryError } from "./delivery.ts";
import { describeError } from "./describe-error.ts";

const released = { claimed_by: null, claimed_until: null };

/**
 * Writes down that deliveries arrived, and answers the ids of those that were still ours: where a lease had been taken
 * over, nothing is written. One statement for each claim that they are of, and one for those whose address was erased
 * meanwhile, which leave nothing behind.
 */
export async function markDelivered(
  db: Kysely<Database>,
  rows: readonly ClaimedRow[],
  now: Date,
): Promise<Set<number>> {
  const values = { ...released, delivered_at: now.toISOString(), last_error: null };
  const ours = new Set<number>();
  for (const [claimedBy, ofClaim] of Map.groupBy(rows, ({ claimed_by }) => claimed_by)) {
    const { kept = [], erased = [] } = Object.groupBy(ofClaim, (row) =>
      row.erased_at === null ? "kept" : "erased",
    );
    const settled = [
      ...(kept.length === 0
        ? []
        : await db
            .updateTable("outbox")
            .set(values)
            .where(areLeased(claimedBy, kept))
            .returning("id")
            .execute()),
      ...(erased.length === 0
        ? []
        : await db
            .deleteFrom("outbox")
            .where(areLeased(claimedBy, erased))
            .returning("id")
            .execute()),
    ];
    for (const { id } of settled) ours.add(id);
  }
  return ours;
}

/** How often, and how far apart, a delivery is tried again: after a failure, and after a refusal. */
export type Retries = { backoff: Backoff; refusalBackoff: Backoff };

/** Writes down a failed attempt, and either when the next one is due or that there will be none. */
export async function markFailedAttempt(
  db: Kysely<Database>,
  row: ClaimedRow,
  { error, now, retries }: { error: unknown; now: Date; retries: Retries },
) {
  const refusals = row.refusals + (isRefusal(error) ? 1 : 0);
  const outcome = { ...released, refusals, last_error: describeError(error) };
  if (isLastAttempt(row, error, retries)) {
    return await settle(db, row, { ...outcome, failed_at: now.toISOString() });
  }
  const waitMs = isRefusal(error)
    ? backoffDelayMs(refusals, retries.refusalBackoff)
    : backoffDelayMs(row.attempts, retries.backoff);
  const next = new Date(now.getTime() + waitMs);
  return await settle(db, row, { ...outcome, next_attempt_at: next.toISOString() });
}

/** Whether the failed attempt was the last one that the delivery gets. */
export function isLastAttempt(row: ClaimedRow, error: unknown, retries: Retries): boolean {
  if (error instanceof PermanentDeliveryError) return true;
  if (row.attempts >= retries.backoff.maxAttempts) return true;
  return isRefusal(error) && row.refusals + 1 >= retries.refusalBackoff.maxAttempts;
}

function isRefusal(error: unknown): boolean {
  return error instanceof RefusedDeliveryError;
}

/** Gives unfinished deliveries back, as if the attempt had not been made. */
export async function handBack(db: Kysely<Database>, rows: readonly ClaimedRow[]): Promise<void> {
  for (const [claimedBy, ofClaim] of Map.groupBy(rows, ({ claimed_by }) => claimed_by)) {
    await db
      .updateTable("outbox")
      .set((eb) => ({
        ...released,
        // The operator's retry may have set it to zero meanwhile.
        attempts: eb
          .case()
          .when("attempts", ">", 0)
          .then(eb("attempts", "-", 1))
          .else(0)
          .end(),
      }))
      .where(areLeased(claimedBy, ofClaim))
      .execute();
  }
}

/** The lease of this claim: whoever has taken a row over since is not disturbed. */
function areLeased(claimedBy: string | null, rows: readonly ClaimedRow[]) {
  return (eb: ExpressionBuilder<Database, "outbox">) =>
    eb.and([
      eb(
        "id",
        "in",
        rows.map(({ id }) => id),
      ),
      eb("claimed_by", "=", claimedBy),
    ]);
}

async function settle(
  db: Kysely<Database>,
  row: ClaimedRow,
  values: Updateable<OutboxTable>,
): Promise<boolean> {
  const result = await db
    .updateTable("outbox")
    .set(values)
    .where(areLeased(row.claimed_by, [row]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
