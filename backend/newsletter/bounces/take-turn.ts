import type { Kysely } from "kysely";
import type { Database } from "../../database/tables.ts";

/** By how much the clocks of servers on one database may differ. */
const clockToleranceMs = 60_000;

/** Kept beside the paces of mail: until then it's somebody's. */
const name = "bounce mailbox";

export type Turn = {
  /** Until when nobody else takes it. */
  until: Date;
  /** Gives it back: nobody takes it before `nextAt`. */
  end(nextAt: Date): Promise<void>;
};

/** The turn of one copy of the server to read the bounce mailbox; null where it's another's, or none is due. */
export async function takeTurn(
  db: Kysely<Database>,
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<Turn | null> {
  const until = new Date(now.getTime() + leaseMs);
  // Written while a clock was ahead, it would keep everybody away until the clock is there again.
  const tooFar = new Date(until.getTime() + clockToleranceMs);
  const taken = await db
    .insertInto("mail_paces")
    .values({ name, paid_until: until.toISOString() })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ paid_until: until.toISOString() })
        .where((eb) =>
          eb.or([
            eb("mail_paces.paid_until", "<=", now.toISOString()),
            eb("mail_paces.paid_until", ">", tooFar.toISOString()),
          ]),
        ),
    )
    .returning("name")
    .executeTakeFirst();
  if (!taken) return null;
  return {
    until,
    async end(nextAt) {
      await db
        .updateTable("mail_paces")
        .set({ paid_until: nextAt.toISOString() })
        .where("name", "=", name)
        .where("paid_until", "=", until.toISOString())
        .execute();
    },
  };
}
