import { type Kysely, sql } from "kysely";
import type { Database } from "#db/tables.ts";
import type { OutboxKind } from "./payloads.ts";

/** How many that wait are looked at: more tell no more. */
const lookedAtMax = 1_000;

export type WaitingDeliveries = {
  /** Attempts made so far. */
  attempts: number;
  /** Since when the oldest waits, ISO 8601: one that was put off from when it is due. Null where none does. */
  oldestAt: string | null;
};

/** What waits of a kind, as the first thousand in its index show. */
export async function readWaiting(
  db: Kysely<Database>,
  kind: OutboxKind,
): Promise<WaitingDeliveries> {
  const first = db
    .selectFrom("outbox")
    .select(["attempts", "created_at", "next_attempt_at"])
    .where("kind", "=", kind)
    .where("delivered_at", "is", null)
    .where("failed_at", "is", null)
    .limit(lookedAtMax);
  const { attempts, oldest } = await db
    .selectFrom(first.as("first"))
    .select([
      sql<number | string>`coalesce(sum(attempts), 0)`.as("attempts"),
      sql<string | null>`min(case when attempts = 0 then next_attempt_at else created_at end)`.as(
        "oldest",
      ),
    ])
    .executeTakeFirstOrThrow();
  // PostgreSQL's sums come as text.
  return { attempts: Number(attempts), oldestAt: oldest };
}
