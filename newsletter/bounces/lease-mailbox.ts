import type { Kysely } from "kysely";
import { clockToleranceMs } from "#db/clock-tolerance.ts";
import type { Database } from "#db/tables.ts";

/** Kept beside the paces of mail: until then it's somebody's. */
const name = "bounce mailbox";

type Lease = {
  /** Until when nobody else takes it. */
  until: Date;
  /** Gives it back: nobody takes it before `nextAt`. */
  end(nextAt: Date): Promise<void>;
};

/** The lease of one copy of the server on the bounce mailbox; null where another has it, or nothing is due. */
export async function leaseMailbox(
  db: Kysely<Database>,
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<Lease | null> {
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
