import type { ExpressionBuilder, Kysely, Updateable } from "kysely";
import type { Database, OutboxTable } from "../database/tables.ts";
import { type Backoff, backoffDelayMs } from "./backoff.ts";
import type { ClaimedRow } from "./claim.ts";
import { PermanentDeliveryError, RefusedDeliveryError } from "./delivery.ts";
import { describeError } from "./describe-error.ts";

const released = { claimed_by: null, claimed_until: null };

/**
 * Writes down that a delivery arrived. `false`: the lease had been taken over, and nothing was written. A delivery whose
 * address was erased meanwhile leaves nothing behind.
 */
export async function markDelivered(db: Kysely<Database>, row: ClaimedRow, now: Date) {
  if (row.erased_at !== null) {
    const result = await db.deleteFrom("outbox").where(isLeased(row)).executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
  return await settle(db, row, { ...released, delivered_at: now.toISOString(), last_error: null });
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

/** Gives an unfinished delivery back, as if the attempt had not been made. */
export async function handBack(db: Kysely<Database>, row: ClaimedRow) {
  return await settle(db, row, { ...released, attempts: Math.max(0, row.attempts - 1) });
}

/** The lease of this claim: whoever has taken the row over since is not disturbed. */
function isLeased(row: ClaimedRow) {
  return (eb: ExpressionBuilder<Database, "outbox">) =>
    eb.and([eb("id", "=", row.id), eb("claimed_by", "=", row.claimed_by)]);
}

async function settle(
  db: Kysely<Database>,
  row: ClaimedRow,
  values: Updateable<OutboxTable>,
): Promise<boolean> {
  const result = await db.updateTable("outbox").set(values).where(isLeased(row)).executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
