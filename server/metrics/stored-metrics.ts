import type { Kysely } from "kysely";
import { readStoredCounts, type StoredCounts } from "#db/counts/stored-counts.ts";
import type { Database } from "#db/tables.ts";
import type { OutboxKind } from "#mail/outbox/payloads.ts";
import { readWaiting, type WaitingDeliveries } from "#mail/outbox/waiting-deliveries.ts";

/** What the database holds, as numbers. */
export type StoredMetrics = Pick<StoredCounts, "subscribers" | "messages"> & {
  outbox: (WaitingDeliveries & { kind: OutboxKind; waiting: number; failed: number })[];
};

/** Reads the metrics, at a cost that doesn't grow with what is stored. */
export async function readStoredMetrics(db: Kysely<Database>): Promise<StoredMetrics> {
  const { subscribers, messages, outbox } = await readStoredCounts(db);
  const kinds = Object.keys(outbox) as OutboxKind[];
  return {
    subscribers,
    messages,
    outbox: await Promise.all(
      kinds.map(async (kind) => ({ kind, ...outbox[kind], ...(await readWaiting(db, kind)) })),
    ),
  };
}
