import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { rowTransitions } from "./row-states.ts";

/** Ends a send when no row of it is open. Answers whether it has. */
export async function finishSend(db: Kysely<Database>, id: number, now: Date): Promise<boolean> {
  const result = await db
    .updateTable("sends")
    .set({ state: "finished", ended_at: now.toISOString() })
    .where("id", "=", id)
    .where("state", "=", "sending")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("send_rows")
            .select("send_rows.id")
            .where("send_rows.send_id", "=", id)
            .where("send_rows.settled_at", "is", null),
        ),
      ),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Withdraws what was in somebody's hands when its send was cancelled and has come back, or never will. */
export async function withdrawLeftOvers(db: Kysely<Database>, now: Date): Promise<void> {
  await db
    .updateTable("send_rows")
    .set({
      state: rowTransitions.withdraw.to,
      settled_at: now.toISOString(),
      answer: "cancelled",
    })
    .where("settled_at", "is", null)
    .where("due_at", "<=", now.toISOString())
    .where("send_id", "in", (eb) =>
      eb.selectFrom("sends").select("sends.id").where("sends.state", "=", "cancelled"),
    )
    .execute();
}
