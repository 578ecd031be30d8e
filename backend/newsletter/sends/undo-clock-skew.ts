import type { Kysely } from "kysely";
import type { Database } from "../../database/tables.ts";
import type { SendLimits } from "./send-limits.ts";

/** By how much the clocks of servers on one database may differ. */
const clockToleranceMs = 60_000;

/**
 * Makes mails due whose time lies further ahead than anything puts them off: it was written while the clock was wrong, and
 * their send, or the next one of a cancelled send's issue, would stand still for as long as it was ahead. Answers how many.
 */
export async function undoClockSkew(
  db: Kysely<Database>,
  { now, limits }: { now: Date; limits: SendLimits },
): Promise<number> {
  const { leaseMs, backoff, domainBackoff } = limits;
  const furthestMs = Math.max(leaseMs, backoff.capMs, domainBackoff.capMs) + clockToleranceMs;
  const result = await db
    .updateTable("send_rows")
    .set({ due_at: now.toISOString() })
    .where("send_id", "in", (eb) =>
      eb
        .selectFrom("sends")
        .select("sends.id")
        .where("sends.state", "in", ["sending", "cancelled"]),
    )
    .where("settled_at", "is", null)
    .where("due_at", ">", new Date(now.getTime() + furthestMs).toISOString())
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
