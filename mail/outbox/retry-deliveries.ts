import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** What a retry begins with: due at once, with all its attempts before it. The last error stays until the outcome. */
function freshStart(now: Date) {
  return { failed_at: null, attempts: 0, refusals: 0, next_attempt_at: now.toISOString() };
}

/**
 * Makes one delivery due at once, whether it has failed or waits for its next attempt; a running server takes it up
 * within a second. One that is under way at this moment is left to finish.
 */
export async function retryDelivery(
  db: Kysely<Database>,
  { id, now }: { id: number; now: Date },
): Promise<{ ok: true } | { ok: false; reason: "unknown_delivery" | "already_delivered" }> {
  const result = await db
    .updateTable("outbox")
    .set(freshStart(now))
    .where("id", "=", id)
    .where("delivered_at", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows > 0n) return { ok: true };
  const row = await db.selectFrom("outbox").select("id").where("id", "=", id).executeTakeFirst();
  return { ok: false, reason: row ? "already_delivered" : "unknown_delivery" };
}

/** Makes every failed delivery due at once. Answers how many. */
export async function retryFailedDeliveries(
  db: Kysely<Database>,
  { now }: { now: Date },
): Promise<number> {
  const result = await db
    .updateTable("outbox")
    .set(freshStart(now))
    .where("failed_at", "is not", null)
    .where("delivered_at", "is", null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
