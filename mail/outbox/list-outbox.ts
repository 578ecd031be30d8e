import type { ExpressionBuilder, Kysely } from "kysely";
import { readStoredCounts } from "#db/counts/stored-counts.ts";
import type { Database } from "#db/tables.ts";
import type { OutboxKind } from "./payloads.ts";
import { readWaiting } from "./waiting-deliveries.ts";

export type OutboxState = "waiting" | "failed" | "delivered";

/** A delivery as the operator sees it; times are ISO 8601. What it carries is not shown. */
type OutboxListing = {
  id: number;
  deliveryId: string;
  kind: string;
  state: OutboxState;
  attempts: number;
  createdAt: string;
  nextAttemptAt: string;
  claimedUntil: string | null;
  deliveredAt: string | null;
  failedAt: string | null;
  lastError: string | null;
};

/** Deliveries, newest first; `beforeId` continues after the last id of the previous page. */
export async function listOutbox(
  db: Kysely<Database>,
  { state, limit = 100, beforeId }: { state?: OutboxState; limit?: number; beforeId?: number } = {},
): Promise<OutboxListing[]> {
  const rows = await db
    .selectFrom("outbox")
    .selectAll()
    .$if(state !== undefined, (qb) => qb.where((eb) => inState(eb, state as OutboxState)))
    .$if(beforeId !== undefined, (qb) => qb.where("id", "<", beforeId as number))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    deliveryId: row.delivery_id,
    kind: row.kind,
    state: row.delivered_at ? "delivered" : row.failed_at ? "failed" : "waiting",
    attempts: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    claimedUntil: row.claimed_until,
    deliveredAt: row.delivered_at,
    failedAt: row.failed_at,
    lastError: row.last_error,
  }));
}

/** How many deliveries are in each state, and since when the oldest of the waiting ones waits. */
export async function countOutbox(
  db: Kysely<Database>,
): Promise<Record<OutboxState, number> & { oldestWaitingAt: string | null }> {
  const { outbox, delivered } = await readStoredCounts(db);
  const oldest: string[] = [];
  for (const kind of Object.keys(outbox) as OutboxKind[]) {
    const { oldestAt } = await readWaiting(db, kind);
    if (oldestAt !== null) oldest.push(oldestAt);
  }
  const sum = (state: "waiting" | "failed") =>
    Object.values(outbox).reduce((total, counts) => total + counts[state], 0);
  return {
    waiting: sum("waiting"),
    failed: sum("failed"),
    delivered,
    oldestWaitingAt: oldest.toSorted()[0] ?? null,
  };
}

function inState(eb: ExpressionBuilder<Database, "outbox">, state: OutboxState) {
  if (state === "delivered") return eb("delivered_at", "is not", null);
  if (state === "failed") {
    return eb.and([eb("delivered_at", "is", null), eb("failed_at", "is not", null)]);
  }
  return eb.and([eb("delivered_at", "is", null), eb("failed_at", "is", null)]);
}
