import type { Kysely } from "kysely";
import { clockToleranceMs } from "#db/clock-tolerance.ts";
import type { Database } from "#db/tables.ts";
import type { SendLimits } from "./send-limits.ts";

/** In one statement: visitors wait for it on SQLite, and PostgreSQL gives no statement of a server's long. */
const rowsAtOnce = 2_000;

/**
 * Makes mails due whose time lies further ahead than anything puts them off: it was written while the clock was wrong, and
 * their send, or the next one of a cancelled send's issue, would stand still for as long as it was ahead. Answers how
 * many, and whether those were all.
 */
export async function undoClockSkew(
  db: Kysely<Database>,
  { now, limits }: { now: Date; limits: SendLimits },
): Promise<{ undone: number; isDone: boolean }> {
  const { leaseMs, backoff, domainBackoff } = limits;
  const furthestMs = Math.max(leaseMs, backoff.capMs, domainBackoff.capMs) + clockToleranceMs;
  const result = await db
    .updateTable("send_rows")
    .set({ due_at: now.toISOString() })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("sends")
        .innerJoin("send_rows as row", "row.send_id", "sends.id")
        .select("row.id")
        .where("sends.state", "in", ["sending", "cancelled"])
        .where("row.settled_at", "is", null)
        .where("row.due_at", ">", new Date(now.getTime() + furthestMs).toISOString())
        .limit(rowsAtOnce),
    )
    .executeTakeFirst();
  const undone = Number(result.numUpdatedRows);
  return { undone, isDone: undone < rowsAtOnce };
}
