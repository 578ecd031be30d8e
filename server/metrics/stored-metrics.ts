import type { Kysely } from "kysely";
import { readStoredCounts, type StoredCounts } from "#db/counts/stored-counts.ts";
import type { Database } from "#db/tables.ts";
import { countOutboxByKind, type KindCounts } from "#mail/outbox-list.ts";

/** What the database holds, as numbers. */
export type StoredMetrics = Pick<StoredCounts, "subscribers" | "messages"> & {
  outbox: KindCounts[];
};

/** Reads the metrics, at a cost that doesn't grow with what is stored. */
export async function readStoredMetrics(db: Kysely<Database>): Promise<StoredMetrics> {
  const { subscribers, messages } = await readStoredCounts(db);
  return { subscribers, messages, outbox: await countOutboxByKind(db) };
}
