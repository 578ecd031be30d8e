import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { readPace } from "#mail/outbox/pace.ts";
import type { SendSpeed } from "./send-speed.ts";

/**
 * A process takes the mails of so long from the common pace at a time, and not one by one, since each time is a commit;
 * what it doesn't use of them by then is lost.
 */
const takenAtOnceMs = 250;

export type Allowance = ReturnType<typeof createAllowance>;

/** How many mails this process may hand over: its part of the pace that all copies of the server keep to together. */
export function createAllowance(speed: SendSpeed) {
  let left = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    async read(trx: Kysely<Database>, now: Date): Promise<{ allowed: number; nextAt?: Date }> {
      if (left > 0 && now.getTime() < until) return { allowed: left };
      const atOnce = Math.max(1, Math.ceil((speed.rate * takenAtOnceMs) / 1000));
      const { allowed, nextAt, spend } = await readPace(trx, speed.pace(), now, atOnce);
      left = Math.min(allowed, atOnce);
      until = now.getTime() + takenAtOnceMs;
      await spend(left);
      return left > 0 ? { allowed: left } : { allowed: 0, nextAt };
    },
    spend(mails: number) {
      left -= mails;
    },
  };
}
