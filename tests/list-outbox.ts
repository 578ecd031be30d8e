import type { Db } from "#db/tables.ts";

/** The outbox's jobs, newest first, each with its state. */
export async function listOutbox(
  db: Db,
  { state }: { state?: "waiting" | "failed" | "delivered" } = {},
) {
  const jobs = await db
    .selectFrom("outbox")
    .select(["id", "delivery_id as deliveryId", "kind", "attempts"])
    .select(["next_attempt_at as nextAttemptAt", "delivered_at as deliveredAt"])
    .select(["failed_at as failedAt", "last_error as lastError"])
    .orderBy("id", "desc")
    .execute();
  const listed = jobs.map((job) => ({
    ...job,
    state: job.deliveredAt ? "delivered" : job.failedAt ? "failed" : "waiting",
  }));
  return listed.filter((job) => state === undefined || job.state === state);
}
