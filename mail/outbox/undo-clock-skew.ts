import type { Kysely } from "kysely";
import { clockToleranceMs } from "#db/clock-tolerance.ts";
import type { Database } from "#db/tables.ts";
import type { OutboxLimits } from "./outbox-limits.ts";
import type { OutboxKind } from "./payloads.ts";
import { priorities } from "./priority.ts";

/** No first attempt is put off for longer than this, whoever schedules it. */
const firstAttemptWithinMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Makes deliveries due, and claims void, whose times lie further ahead than anything schedules: they were written while
 * the clock was wrong, and would otherwise wait for as long as it was ahead. Answers how many.
 */
export async function undoClockSkew(
  db: Kysely<Database>,
  { kind, now, limits }: { kind: OutboxKind; now: Date; limits: OutboxLimits },
): Promise<number> {
  const { backoff, refusalBackoff } = limits;
  const longestWaitMs = Math.max(backoff.capMs, refusalBackoff.capMs);
  const after = (ms: number) => new Date(now.getTime() + ms + clockToleranceMs).toISOString();
  const waiting = db
    .updateTable("outbox")
    .where("kind", "=", kind)
    .where("priority", "in", priorities)
    .where("delivered_at", "is", null)
    .where("failed_at", "is", null);

  const due = await waiting
    .set({ next_attempt_at: now.toISOString() })
    .where("next_attempt_at", ">", after(0))
    .where((eb) =>
      eb.or([
        // Written to be sent at once, at a time that has not come yet.
        eb.and([eb("attempts", "=", 0), eb("created_at", "=", eb.ref("next_attempt_at"))]),
        eb.and([eb("attempts", ">", 0), eb("next_attempt_at", ">", after(longestWaitMs))]),
        eb("next_attempt_at", ">", after(Math.max(firstAttemptWithinMs, longestWaitMs))),
      ]),
    )
    .executeTakeFirst();
  const freed = await waiting
    .set({ claimed_by: null, claimed_until: null })
    .where("claimed_until", ">", after(limits.leaseMs))
    .executeTakeFirst();
  return Number(due.numUpdatedRows + freed.numUpdatedRows);
}
